// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * env.c - the environment that a set lets through.
 *
 * A section that is left out grants nothing: without `env` the program starts with an
 * empty environment.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "policy/policy.h"

static bool has_name(const char *variable, const char *name, size_t length)
{
	return !strncmp(variable, name, length) && variable[length] == '=';
}

/* Is the variable one of those that `set:` gives a value? */
static bool is_set(const struct warder_env *env, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < env->set_count; i++) {
		if (has_name(env->set[i], name, length))
			return true;
	}
	return false;
}

static bool passes(const struct warder_env *env, const char *variable)
{
	size_t length = strcspn(variable, "="), i;
	char name[256];

	/* What is no NAME=value, or has a name this long, is nobody's honest variable. */
	if (!length || variable[length] != '=' || length >= sizeof(name))
		return false;
	if (is_set(env, variable, length))
		return false;
	memcpy(name, variable, length);
	name[length] = 0;
	for (i = 0; i < env->pass_count; i++) {
		if (!fnmatch(env->pass[i], name, FNM_NOESCAPE))
			return true;
	}
	return false;
}

/* A second variable of the same name could win in one program and lose in another. */
static bool is_there(char *const *list, size_t count, const char *variable)
{
	size_t length = strcspn(variable, "="), i;

	for (i = 0; i < count; i++) {
		if (has_name(list[i], variable, length))
			return true;
	}
	return false;
}

int warder_env_build(const struct warder_policy *policy, unsigned int set, char *const *environment,
		     char ***ret_environment)
{
	const struct warder_env *env = &policy->sets[set].env;
	size_t size = env->set_count + 1, count = 0, i;
	char **list;

	for (i = 0; environment && environment[i]; i++)
		size++;
	list = calloc(size, sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (i = 0; environment && environment[i]; i++) {
		if (passes(env, environment[i]) && !is_there(list, count, environment[i]))
			list[count++] = environment[i];
	}
	for (i = 0; i < env->set_count; i++)
		list[count++] = env->set[i];
	*ret_environment = list;
	return 0;
}
