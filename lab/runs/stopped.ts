/** Why an experiment ends before it is over. */

/** The user stopped it. */
export class Stopped extends Error {
  constructor() {
    super("stopped");
  }
}

/** A run came to no result at all, such as one whose chain did not start; the reason has been said where it was known. */
export class RunFailed extends Error {}
