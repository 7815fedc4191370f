/** Who reads what a program prints: a terminal, a file, or the next command behind a `|`. */

/** What a write to someone who has gone fails with; a terminal that was closed gives EIO. */
const GONE = new Set(["EPIPE", "EIO", "ERR_STREAM_DESTROYED"]);

/**
 * From now on this process does not end because nobody reads stdout or stderr any more, as in `… | head -1`: what it
 * prints is lost, what it does goes on. Any other fault of theirs, such as a full disk, still ends it.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (!GONE.has(error.code ?? "")) throw error;
    });
  }
}
