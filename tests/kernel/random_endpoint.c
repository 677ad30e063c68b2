// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * random_endpoint.c - endpoints about the loopback addresses and ports that answer.
 */
#include "random_policy.h"

#include "random.h"
#include "sockets.h"

const char *const random_addresses4[4] = {"127.0.0.1", "127.0.0.2", "127.1.2.3", "127.200.0.9"};
const char *const random_addresses6[3] = {"::1", "fd12::1", "fd12::2:1"};
const unsigned short random_ports[3] = {PORT_OPEN, PORT_CLOSED, PORT_RESERVED};

static const char *const networks[] = {
	"*",
	"127.0.0.0/8",
	"127.0.0.0/16",
	"127.0.0.0/30",
	"127.0.0.2/31",
	"0.0.0.0/0",
	"[::]/0",
	"[fd12::]/64",
	"[fd12::]/112",
	"[::]/64",
	"127.128.0.0/9",
	"127.1.0.0/16",
	"[fd00::]/8",
	"126.0.0.0/7",
};

bool random_addresses_make(void)
{
	return net_shell("ip -6 addr replace fd12::1/128 dev lo nodad && "
			 "ip -6 addr replace fd12::2:1/128 dev lo nodad");
}

static void add_address(FILE *out)
{
	if (random_percent(50))
		fputs(RANDOM_OF(networks), out);
	else if (random_percent(60))
		fputs(RANDOM_OF(random_addresses4), out);
	else
		fprintf(out, "[%s]", RANDOM_OF(random_addresses6));
}

static void add_ports(FILE *out)
{
	unsigned int port = RANDOM_OF(random_ports);

	switch (random_below(5)) {
	case 0:
		fputs("*", out);
		break;
	case 1:
		fprintf(out, "%u-%u", port - random_below(3), port + random_below(3));
		break;
	case 2:
		fprintf(out, "1-1024,%u", port);
		break;
	case 3:
		fprintf(out, "%u-65535", port);
		break;
	default:
		fprintf(out, "%u", port);
	}
}

void random_endpoint(FILE *out)
{
	fprintf(out, "'%s:", random_percent(50) ? "tcp" : "udp");
	add_address(out);
	fputc(':', out);
	add_ports(out);
	fputc('\'', out);
}
