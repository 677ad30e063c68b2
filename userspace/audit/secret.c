// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * secret.c - where passwords and keys lie: there no pattern is suggested.
 */
#include "audit/secret.h"

#include <string.h>

/* Directories that hold them beside other files; as a component anywhere. */
static const char *const directories[] = {
	"etc",	   "private",  "secrets",   "credentials", "keyrings",	      ".ssh",
	".gnupg",  ".aws",     ".azure",    "gcloud",	   ".password-store", ".kube",
	".docker", ".mozilla", "sudoers.d",
};

/* Their names, in whatever directory. */
static const char *const names[] = {
	"shadow",	"shadow-",	    "gshadow",	     "gshadow-",    "sudoers",
	"opasswd",	"authorized_keys",  "id_rsa",	     "id_dsa",	    "id_ecdsa",
	"id_ecdsa_sk",	"id_ed25519",	    "id_ed25519_sk", ".netrc",	    ".pgpass",
	".npmrc",	".pypirc",	    ".my.cnf",	     ".env",	    ".git-credentials",
	".vault-token", "credentials.json", "kubeconfig",    "secring.gpg", ".htpasswd",
	"wallet.dat",	".bash_history",
};

static const char *const endings[] = {
	".key", ".pem", ".p12", ".pfx", ".jks", ".kdbx", ".gpg", ".keytab", ".env", "_key",
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* Are they equal where the pattern says what it wants? */
static bool fits(const char *pattern, const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++) {
		if (pattern[i] && pattern[i] != text[i])
			return false;
	}
	return true;
}

static bool is_directory(const char *component, size_t length)
{
	size_t i;

	for (i = 0; i < COUNT(directories); i++) {
		if (strlen(directories[i]) == length && fits(component, directories[i], length))
			return true;
	}
	return false;
}

static bool is_name(const char *component, size_t length)
{
	size_t i, end;

	for (i = 0; i < COUNT(names); i++) {
		if (strlen(names[i]) == length && fits(component, names[i], length))
			return true;
	}
	for (i = 0; i < COUNT(endings); i++) {
		end = strlen(endings[i]);
		/* An ending that is all wildcards would be that of any made-up name. */
		if (end <= length && component[length - 1] &&
		    fits(component + length - end, endings[i], end))
			return true;
	}
	return false;
}

bool warder_secret_matches(const char *pattern, size_t length)
{
	const char *end = pattern + length, *slash;

	for (; (slash = memchr(pattern, '/', (size_t)(end - pattern))); pattern = slash + 1) {
		if (is_directory(pattern, (size_t)(slash - pattern)))
			return true;
	}
	return end > pattern && is_name(pattern, (size_t)(end - pattern));
}
