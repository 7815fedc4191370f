import { runHop } from "../hop/app.ts";
runHop("api");
