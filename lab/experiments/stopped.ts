/** The user stopped the experiment before it was over. */
export class Stopped extends Error {
  constructor() {
    super("stopped");
  }
}
