# Makefile - builds, tests and shows warder; everything it makes lies below build/.
#
# The pipeline: bpf/*.bpf.c -> build/warder.bpf.o -> build/warder.skel.h -> userspace -> build/warder.
# Header dependencies come from the compilers (-MMD -MP), never from wildcards.

BUILD   := build
CLANG   ?= clang
BPFTOOL ?= $(firstword $(wildcard /usr/sbin/bpftool /usr/local/sbin/bpftool) bpftool)
VERSION := 0.1.0
PREFIX  ?= /usr
SUDO    := $(if $(filter 0,$(shell id -u)),,sudo)

ARCH_INCLUDE := $(shell $(CC) -print-multiarch 2>/dev/null)
CFLAGS  ?= -O2 -g
WARN    := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-unused-parameter \
           -Werror=unused-function -Werror=implicit-function-declaration
CPPFLAGS += -Iinclude -Iuserspace -I$(BUILD) -D_GNU_SOURCE -DWARDER_VERSION='"$(VERSION)"'
LDLIBS  := -lbpf -lelf -lz -lyaml -ljansson -lseccomp
# Short lines by default; V=1 shows the commands.
Q       := $(if $(V),,@)
say      = $(if $(V),,@echo "  $(1)	$(2)";)
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer

BPF_CFLAGS := -target bpf -mcpu=v3 -O2 -g -Wall -Wextra -Wno-unused-parameter -Werror \
              -D__TARGET_ARCH_x86 -Iinclude -idirafter /usr/include/$(ARCH_INCLUDE)

CLI_SRC  := userspace/cli/main.c
LIB_SRC  := $(filter-out $(CLI_SRC),$(wildcard $(addprefix userspace/,$(addsuffix /*.c,base policy compile load audit run cli))))
PRESETS  := $(sort $(wildcard userspace/presets/*.yaml))
STARTERS := $(sort $(wildcard userspace/starters/*.yaml))
SCHEMA   := userspace/policy/policy.schema.json
UNIT_SRC := $(wildcard tests/unit/*_test.c tests/unit/*/*_test.c)
KERNEL_SRC := $(wildcard tests/kernel/*_test.c)
KERNEL_LIB := $(filter-out $(KERNEL_SRC),$(wildcard tests/kernel/*.c))
FUZZ_SRC := $(wildcard tests/fuzz/*_fuzz.c)
# What reads bytes from outside; the rest of load/ talks to the kernel.
FUZZ_LIB := $(wildcard $(addprefix userspace/,$(addsuffix /*.c,base policy compile audit))) \
            userspace/load/kernel.c userspace/load/cgroup.c

obj  = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
aobj = $(patsubst %.c,$(BUILD)/asan/%.o,$(1))
LIB_OBJ  := $(call obj,$(LIB_SRC)) $(BUILD)/obj/presets.o
ALIB_OBJ := $(call aobj,$(LIB_SRC)) $(BUILD)/asan/presets.o
UNIT_BIN := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(UNIT_SRC))
# Property tests in their whole number, which the sanitizers would make too slow.
SCALE_BIN := $(BUILD)/tests/scale/compile/decide_test
KERNEL_BIN := $(patsubst tests/kernel/%.c,$(BUILD)/tests/kernel/%,$(KERNEL_SRC))
fobj = $(patsubst %.c,$(BUILD)/fuzz/obj/%.o,$(1))
FUZZ_BIN := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(FUZZ_SRC))

.PHONY: all help check soak bench distclean tests-build demo unit fuzz schema fuzz-build kernel e2e tools-test style install clean deps-build deps-check deps-demo
.DELETE_ON_ERROR:
.PRECIOUS: $(BUILD)/obj/%.o $(BUILD)/asan/%.o $(BUILD)/fuzz/obj/%.o

all: deps-build ## build build/warder (the default)
	@$(MAKE) --no-print-directory $(BUILD)/warder

help: ## show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: ## the main job, on real input: four ways to run generated code (in a virtual machine; NATIVE=1: here)
	@tools/install-deps demo
	@$(MAKE) --no-print-directory -j2 $(BUILD)/warder
	@tools/demo/demo $(if $(NATIVE),--native)

check: ## all tests: style, unit, kernel and end to end on three kernels
	@tools/install-deps check
	@tools/dev/check

soak: ## what is too long for check: half an hour of fuzzing, real programs under the presets on three kernels
	@tools/install-deps check
	@tools/dev/soak

unit: $(UNIT_BIN) $(SCALE_BIN) ## unit tests, under ASan and UBSan
	@tools/dev/unit $(UNIT_BIN) $(SCALE_BIN)

fuzz: ## fuzz every parser, 60 seconds altogether (SECONDS=...)
	@tests/fuzz/run $(or $(SECONDS),60)

fuzz-build: $(FUZZ_BIN)

kernel: $(BUILD)/warder $(KERNEL_BIN) ## kernel tests on the three kernels (KERNEL=6.1|6.12|latest|all)
	@tests/kernel/run $(or $(KERNEL),all)

e2e: $(BUILD)/warder $(KERNEL_BIN) ## end-to-end tests on the three kernels (KERNEL=...)
	@tests/e2e/run $(or $(KERNEL),all)

bench: $(BUILD)/warder $(BUILD)/bench/compile $(BUILD)/bench/cost ## what compiling takes, and what judging adds to calls (KERNEL=6.12 JSON=1)
	@$(BUILD)/bench/compile
	@tools/bench/run $(or $(KERNEL),6.12) cost table | tools/bench/table $(if $(JSON),--json)

tests-build: $(BUILD)/warder $(UNIT_BIN) $(SCALE_BIN) $(KERNEL_BIN) $(BUILD)/bench/compile $(BUILD)/bench/cost

schema: $(BUILD)/warder ## the JSON Schema against the parser, on every golden policy
	@tests/schema/run

style: ## clang-format, tree and wording checks
	@tools/dev/style

deps-build deps-check deps-demo: deps-%:
	@tools/install-deps $*

# --- kernel side ---
$(BUILD)/warder.bpf.o: bpf/warder.bpf.c
	@mkdir -p $(@D)
	$(call say,BPF,$@) $(CLANG) $(BPF_CFLAGS) -MMD -MP -c $< -o $(BUILD)/warder.raw.o -MF $(BUILD)/warder.bpf.d -MT $@
	$(Q)$(BPFTOOL) gen object $@ $(BUILD)/warder.raw.o

$(BUILD)/warder.skel.h: $(BUILD)/warder.bpf.o
	$(call say,SKEL,$@) $(BPFTOOL) gen skeleton $< name warder_bpf > $@

# --- userspace ---
$(BUILD)/presets.c: $(PRESETS) $(STARTERS) $(SCHEMA) tools/dev/embed
	@mkdir -p $(@D)
	$(call say,GEN,$@) tools/dev/embed warder_presets $(PRESETS) -- warder_starters $(STARTERS) -- warder_schemas $(SCHEMA) > $@

$(BUILD)/obj/presets.o: $(BUILD)/presets.c
	@mkdir -p $(@D)
	$(call say,CC,$@) $(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) -c $< -o $@

$(BUILD)/asan/presets.o: $(BUILD)/presets.c
	@mkdir -p $(@D)
	$(call say,CC,$@) $(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) $(SANITIZE) -c $< -o $@

# Tests and benchmarks include by path from the top.
$(BUILD)/obj/tools/%.o: CPPFLAGS += -I.

$(BUILD)/obj/%.o: %.c | $(BUILD)/warder.skel.h
	@mkdir -p $(@D)
	$(call say,CC,$@) $(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) -MMD -MP -c $< -o $@

$(BUILD)/asan/%.o: %.c | $(BUILD)/warder.skel.h
	@mkdir -p $(@D)
	$(call say,CC,$@) $(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) $(SANITIZE) -MMD -MP -c $< -o $@

# libFuzzer comes with clang; -O1 builds in half the time and fuzzes nearly as fast.
$(BUILD)/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CLANG,$@) $(CLANG) $(CPPFLAGS) -O1 -g $(WARN) $(SANITIZE) -fsanitize=fuzzer-no-link -MMD -MP -c $< -o $@

$(BUILD)/fuzz/obj/presets.o: $(BUILD)/presets.c
	@mkdir -p $(@D)
	$(call say,CLANG,$@) $(CLANG) $(CPPFLAGS) -O1 -g $(WARN) $(SANITIZE) -c $< -o $@

# Archives: a test links what it uses.
$(BUILD)/libwarder.a: $(LIB_OBJ)
	$(call say,AR,$@) rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/libwarder-asan.a: $(ALIB_OBJ)
	$(call say,AR,$@) rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/libkernel-test.a: $(call obj,$(KERNEL_LIB))
	$(call say,AR,$@) rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/fuzz/libwarder.a: $(call fobj,$(FUZZ_LIB)) $(BUILD)/fuzz/obj/presets.o
	$(call say,AR,$@) rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/warder: $(call obj,$(CLI_SRC)) $(BUILD)/libwarder.a
	$(call say,LD,$@) $(CC) $(CFLAGS) $^ $(LDFLAGS) $(LDLIBS) -o $@

$(BUILD)/tests/unit/%: $(BUILD)/asan/tests/unit/%.o $(BUILD)/libwarder-asan.a
	@mkdir -p $(@D)
	$(call say,LD,$@) $(CC) $(SANITIZE) $^ $(LDLIBS) -lcmocka -o $@

$(BUILD)/tests/scale/%: $(BUILD)/obj/tests/unit/%.o $(BUILD)/libwarder.a
	@mkdir -p $(@D)
	$(call say,LD,$@) $(CC) $^ $(LDLIBS) -lcmocka -o $@

$(BUILD)/fuzz/%_fuzz: $(BUILD)/fuzz/obj/tests/fuzz/%_fuzz.o $(BUILD)/fuzz/libwarder.a
	$(call say,LD,$@) $(CLANG) $(SANITIZE) -fsanitize=fuzzer $^ $(LDLIBS) -o $@

$(BUILD)/tests/kernel/%: $(BUILD)/obj/tests/kernel/%.o $(BUILD)/libkernel-test.a $(BUILD)/libwarder.a
	@mkdir -p $(@D)
	$(call say,LD,$@) $(CC) $^ $(LDLIBS) -o $@

$(BUILD)/bench/%: $(BUILD)/obj/tools/bench/%.o $(BUILD)/libkernel-test.a $(BUILD)/libwarder.a
	@mkdir -p $(@D)
	$(call say,LD,$@) $(CC) $(filter %.o,$^) $(filter %.a,$^) $(LDLIBS) -o $@

$(BUILD)/bench/compile: $(BUILD)/obj/tools/bench/policies.o
$(BUILD)/bench/cost: $(addprefix $(BUILD)/obj/tools/bench/,rows.o modes.o empty.o) | $(BUILD)/bench/empty.bpf.o

# Empty programs on warder's hooks, to compare with.
$(BUILD)/bench/empty.bpf.o: tools/bench/empty.bpf.c
	@mkdir -p $(@D)
	$(call say,BPF,$@) $(CLANG) $(BPF_CFLAGS) -MMD -MP -c $< -o $@ -MF $(@:.o=.d) -MT $@

install: $(BUILD)/warder ## install below DESTDIR
	install -D -m 755 $(BUILD)/warder $(DESTDIR)$(PREFIX)/bin/warder
	for f in userspace/man/*.[1-8]; do install -D -m 644 $$f $(DESTDIR)$(PREFIX)/share/man/man$${f##*.}/$${f##*/}; done
	for f in $(STARTERS); do install -D -m 644 $$f $(DESTDIR)$(PREFIX)/share/warder/starters/$${f##*/}; done
	$(BUILD)/warder check --schema > $(BUILD)/policy.schema.json
	install -D -m 644 $(BUILD)/policy.schema.json $(DESTDIR)$(PREFIX)/share/warder/policy.schema.json
	for f in $(PRESETS); do install -D -m 644 $$f $(DESTDIR)$(PREFIX)/share/warder/presets/$${f##*/}; done
	install -D -m 644 LICENSE $(DESTDIR)$(PREFIX)/share/doc/warder/LICENSE
	install -D -m 644 README.md $(DESTDIR)$(PREFIX)/share/doc/warder/README.md

clean: ## remove what was built; guest and kernels stay (make distclean removes them)
	rm -rf $(BUILD)/obj $(BUILD)/asan $(BUILD)/fuzz $(BUILD)/tests $(BUILD)/bench $(BUILD)/warder $(BUILD)/warder.* $(BUILD)/*.a $(BUILD)/presets.c

distclean: ## remove build/ altogether
	$(SUDO) rm -rf $(BUILD)

-include $(wildcard $(BUILD)/warder.bpf.d $(BUILD)/bench/*.d) $(shell find $(BUILD)/obj $(BUILD)/asan $(BUILD)/fuzz -type f -name '*.d' 2>/dev/null)
