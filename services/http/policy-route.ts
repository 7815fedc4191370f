/**
 * `PUT /policy`: another policy while the service runs. The body is an environment, names to texts, as a policy's
 * file and its overrides make it (`bin/lab resolve --format json`); each service takes its own part of it.
 */
import type { Request, Response, Router } from "express";
import { bodyOf } from "./admin.ts";
import { sendProblem } from "./problem.ts";
import type { RunDescription } from "../contract/stats.ts";
import { ConfigError, knownNames, readValues, tiersOf, type Values } from "../settings/values.ts";
import { messageOf } from "../settings/known-error.ts";

/** @throws ConfigError with every fault of the body */
function valuesOf(body: Record<string, unknown>): Values {
  const names = Object.keys(body);
  if (names.length === 0) throw new ConfigError(["send the settings as a JSON object of names and texts"]);
  const notText = names.filter((name) => typeof body[name] !== "string");
  if (notText.length > 0) throw new ConfigError(notText.map((name) => `${name.slice(0, 60)} must be a text`));
  const env = body as Record<string, string>;
  const known = knownNames(tiersOf(env));
  const unknown = names.filter((name) => !known.has(name)).map((name) => `${name.slice(0, 60)} is not a setting`);
  if (unknown.length > 0) throw new ConfigError(unknown);
  return readValues(env);
}

function answerFault(res: Response, error: unknown): void {
  if (!(error instanceof ConfigError)) throw error;
  sendProblem(res, 400, error.problems.join("; "));
}

/** Adds the route. `change` takes what is its own from the settings, and describes what holds now. */
export function addPolicyRoute(router: Router, change: (values: Values) => RunDescription): void {
  router.put("/policy", (req: Request, res: Response) => {
    try {
      res.json(change(valuesOf(bodyOf(req))));
    } catch (error) {
      answerFault(res, error);
    }
  });
}

/** Hands another policy on to a whole chain. Rejects with what a person should read. */
export type SwitchPolicy = (settings: Readonly<Record<string, string>>, values: Values) => Promise<void>;

async function switchPolicy(req: Request, res: Response, change: SwitchPolicy): Promise<void> {
  const body = bodyOf(req);
  let values: Values;
  try {
    values = valuesOf(body);
  } catch (error) {
    return answerFault(res, error);
  }
  try {
    await change(body as Record<string, string>, values);
    res.json({ policy: values.text("POLICY") });
  } catch (error) {
    sendProblem(res, 502, messageOf(error));
  }
}

/**
 * The same route at a program that is no tier itself: 400 lists the faults of the body, 502 says who did not take it.
 */
export function addPolicySwitch(router: Router, change: SwitchPolicy): void {
  router.put("/policy", (req: Request, res: Response) => switchPolicy(req, res, change));
}
