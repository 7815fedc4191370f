/** The least that a hop of express and undici can be: no policy, no metrics, no log. The argument is the upstream. */
import express from "express";
import { request } from "undici";

const [, , upstream = ""] = process.argv;
const app = express();
app.disable("x-powered-by");
app.set("etag", false);
app.get("/orders/:id", async (req, res) => {
  const answer = await request(upstream + req.url);
  res
    .status(answer.statusCode)
    .type("application/json")
    .send(await answer.body.text());
});
const server = app.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" && address !== null ? address.port : 0 });
});
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000 });
});
process.on("disconnect", () => process.exit(0));
