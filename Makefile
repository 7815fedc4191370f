# Verbs only: what each does stands in bin/lab, or is a command of lab/cli. A new verb is a row of lab/cli/verbs.ts.
include lab/cli/verbs.mk

.DEFAULT_GOAL := help
.NOTPARALLEL:
MAKEFLAGS += --no-builtin-rules --no-print-directory

# make hands every NAME=value of its command line on through the environment, whatever characters the value has. Their
# names go along, so that a misspelt one is told from what a shell happens to contain.
export LAB_OVERRIDES := $(strip $(foreach v,$(.VARIABLES),$(if $(filter command,$(origin $(v))),$(if $(filter-out -% MAKE%,$(v)),$(v)))))

.PHONY: $(VERBS)
$(VERBS):
	@bin/lab $@
