# Verbs only: what each does stands in bin/lab, or is a command of lab/cli. A new verb is a row of lab/cli/verbs.ts.
include lab/cli/verbs.mk

.DEFAULT_GOAL := help
.NOTPARALLEL:
MAKEFLAGS += --no-builtin-rules --no-print-directory

# make hands every NAME=value of its command line on through the environment. Their names go along, so that a misspelt one
# is told from what a shell happens to contain. make would expand a `$` in a value; the second line keeps it as it was typed.
export LAB_OVERRIDES := $(strip $(foreach _,$(.VARIABLES),$(if $(filter command,$(origin $_)),$(filter-out -% MAKE%,$_))))
$(foreach _,$(LAB_OVERRIDES),$(eval override $_ := $$(value $_))$(eval export $_))

.PHONY: $(VERBS)
$(VERBS):
	@bin/lab $@
