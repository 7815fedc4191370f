/**
 * `PUT /policy`: another policy while the service runs. The body is an environment, names to texts, as a policy's file and
 * its overrides make it (`lab resolve --format json`); each service takes its own part of it.
 */
import type { Request, Response, Router } from "express";
import { bodyOf } from "./admin.ts";
import { sendProblem } from "./problem.ts";
import type { RunDescription } from "./stats.ts";
import { ConfigError, knownNames, readValues, tiersOf, type Values } from "./values.ts";

/** @throws ConfigError with every fault of the body */
function valuesOf(body: Record<string, unknown>): Values {
  const names = Object.keys(body);
  if (names.length === 0) throw new ConfigError(["send the settings as a JSON object of names and texts"]);
  const notText = names.filter((name) => typeof body[name] !== "string");
  if (notText.length > 0) throw new ConfigError(notText.map((name) => `${name.slice(0, 60)} must be a text`));
  const env = body as Record<string, string>;
  const known = knownNames(tiersOf(env));
  const unknown = names
    .filter((name) => !known.has(name))
    .map((name) => `${name.slice(0, 60)} is not a setting`);
  if (unknown.length > 0) throw new ConfigError(unknown);
  return readValues(env);
}

/** Adds the route. `change` takes what is its own from the settings, and describes what holds now. */
export function addPolicyRoute(router: Router, change: (values: Values) => RunDescription): void {
  router.put("/policy", (req: Request, res: Response) => {
    try {
      res.json(change(valuesOf(bodyOf(req))));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      sendProblem(res, 400, error.problems.join("; "));
    }
  });
}
