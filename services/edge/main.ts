import { runHop } from "../hop/app.ts";
runHop("edge");
