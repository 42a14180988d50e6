/**
 * Operations by name, one JSON line each, so that another program can compare this client with others:
 * `{"name", "values"}` in, `{"answer"}` or `{"error"}` out.
 *
 *     node answering.ts http URL      (the token in SEGUE_TOKEN)
 *     node answering.ts exec WORKSPACE
 */

import { exec } from "../src/exec.ts";
import { Segue, SegueError, http } from "../src/index.ts";
import type { OperationName } from "../src/index.ts";
import { lines } from "../src/lines.ts";
import { COMMAND } from "./command.ts";

const [way, place = ""] = process.argv.slice(2);
const segue = new Segue(way === "http" ? http(place) : exec({ workspace: place, command: COMMAND }));

for await (const line of lines(process.stdin)) {
  const { name, values } = JSON.parse(line) as { name: OperationName; values: never };
  try {
    say({ answer: await segue.call(name, values) });
  } catch (fault) {
    if (!(fault instanceof SegueError)) {
      throw fault;
    }
    say({ error: [fault.code, fault.message] });
  }
}

function say(told: object): void {
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
