// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * acts.c - things to do with files. Each returns 0 or a positive number, or -errno.
 */
#include "acts.h"

#include <dirent.h>
#include <elf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static int error_of(int result)
{
	return result < 0 ? -errno : 0;
}

int act_open(const void *argument)
{
	const struct act_open *wanted = argument;
	int mode = wanted->flags & O_ACCMODE;
	int fd = open(wanted->path, wanted->flags | O_CLOEXEC, 0666);
	char byte;

	if (fd < 0)
		return -errno;
	if (wanted->flags & (O_DIRECTORY | O_PATH) && mode == O_RDONLY)
		return 0;
	if ((mode == O_RDONLY || mode == O_RDWR) && read(fd, &byte, 1) < 0)
		return -errno;
	if ((mode == O_WRONLY || mode == O_RDWR) && write(fd, "W", 1) != 1)
		return -errno;
	return 0;
}

int act_read(const void *path)
{
	return act_open(OPEN(path, O_RDONLY));
}

int act_write(const void *path)
{
	return act_open(OPEN(path, O_WRONLY));
}

int act_append(const void *path)
{
	return act_open(OPEN(path, O_WRONLY | O_APPEND));
}

int act_create(const void *path)
{
	return act_open(OPEN(path, O_WRONLY | O_CREAT | O_EXCL));
}

int act_list(const void *path)
{
	DIR *directory = opendir(path);

	if (!directory)
		return -errno;
	errno = 0;
	return readdir(directory) ? 0 : -errno;
}

int act_truncate(const void *path)
{
	return error_of(truncate(path, 0));
}

int act_unlink(const void *path)
{
	return error_of(unlink(path));
}

int act_rmdir(const void *path)
{
	return error_of(rmdir(path));
}

int act_mkdir(const void *path)
{
	return error_of(mkdir(path, 0777));
}

int act_mkfifo(const void *path)
{
	return error_of(mkfifo(path, 0666));
}

int act_symlink(const void *path)
{
	return error_of(symlink("target", path));
}

int act_chmod(const void *path)
{
	return error_of(chmod(path, 0700));
}

int act_chown(const void *path)
{
	return error_of(chown(path, -1, getgid()));
}

int act_link(const void *argument)
{
	const struct act_pair *pair = argument;

	return error_of(linkat(AT_FDCWD, pair->from, AT_FDCWD, pair->to, pair->flags));
}

int act_rename(const void *argument)
{
	const struct act_pair *pair = argument;

	return error_of(renameat2(AT_FDCWD, pair->from, AT_FDCWD, pair->to, pair->flags));
}

void make_program(const char *path, unsigned char status)
{
	struct {
		Elf64_Ehdr head;
		Elf64_Phdr segment;
		unsigned char code[12];
	} program = {
		.head =
			{
				.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					    ELFDATA2LSB, EV_CURRENT},
				.e_type = ET_EXEC,
				.e_machine = EM_X86_64,
				.e_version = EV_CURRENT,
				.e_entry = 0x400000 + offsetof(__typeof__(program), code),
				.e_phoff = offsetof(__typeof__(program), segment),
				.e_ehsize = sizeof(Elf64_Ehdr),
				.e_phentsize = sizeof(Elf64_Phdr),
				.e_phnum = 1,
			},
		.segment =
			{
				.p_type = PT_LOAD,
				.p_flags = PF_R | PF_X,
				.p_vaddr = 0x400000,
				.p_filesz = sizeof(program),
				.p_memsz = sizeof(program),
				.p_align = 4096,
			},
		/* mov eax, 60; mov edi, status; syscall */
		.code = {0xb8, 60, 0, 0, 0, 0xbf, status, 0, 0, 0, 0x0f, 0x05},
	};
	_cleanup_close_ int fd = -1;

	kt_write("%s", "", path);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0 || write(fd, &program, sizeof(program)) != (ssize_t)sizeof(program) ||
	    fchmod(fd, 0777) < 0)
		abort();
}

/* The errno comes home through a pipe that a successful execve closes. */
int act_exec(const void *path)
{
	int ends[2], status = 0, error = 0;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	pid = fork();
	if (!pid) {
		execl(path, path, (char *)NULL);
		error = errno;
		_exit(write(ends[1], &error, sizeof(error)) < 0);
	}
	close(ends[1]);
	if (pid < 0 || read(ends[0], &error, sizeof(error)) < 0 || waitpid(pid, &status, 0) < 0)
		return -errno;
	close(ends[0]);
	if (error)
		return -error;
	return WIFEXITED(status) ? WEXITSTATUS(status) : KT_CRASHED - WTERMSIG(status);
}

static int map_file(const char *path, int protection, void **ret_map)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	*ret_map = mmap(NULL, 4096, protection, MAP_PRIVATE, fd, 0);
	return *ret_map == MAP_FAILED ? -errno : 0;
}

int act_map_exec(const void *path)
{
	void *map;

	return map_file(path, PROT_READ | PROT_EXEC, &map);
}

int act_protect_exec(const void *path)
{
	void *map = NULL;
	int error = map_file(path, PROT_READ, &map);

	if (error)
		return error;
	return error_of(mprotect(map, 4096, PROT_READ | PROT_EXEC));
}
