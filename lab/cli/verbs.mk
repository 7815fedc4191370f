# Written by "npm run docs" from lab/cli/verbs.ts.
VERBS := demo break test run compare live dash report up down ablate metastable herd hedge fan-out fleet frontier map scale published twin check bench clean help
RUN_IN_SHELL := demo break test run compare dash report up down check bench clean completion help
RUN_IN_NODE := live trace ablate metastable herd hedge fan-out fleet frontier map scale published sweep assert twin
RUN_IN_WORLD := resolve compare-reports switch
