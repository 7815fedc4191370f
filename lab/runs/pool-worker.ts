/** A thread of the pool: makes the runs that it is sent, one after the other. */
import { serveOrders } from "./pool.ts";
import { makeVirtualRun } from "./virtual-run.ts";

serveOrders(makeVirtualRun);
