/** segue for TypeScript: `new Segue(http(url))` here, `exec` for Node in `@segue/sdk/exec`. */

export type * from "./answers.ts";
export { Segue, Threads } from "./client.ts";
export { BadInput, Conflict, NotFound, Refused, SegueError, Unavailable } from "./errors.ts";
export { Artifacts, Changes, Drafts, Handoffs, Sessions, Upkeep } from "./groups.ts";
export type { Ask } from "./groups.ts";
export { http } from "./http.ts";
export type { HttpOptions } from "./http.ts";
export type { Json, JsonObject } from "./json.ts";
export type { OperationName, Operations } from "./operations.ts";
export type { CallOptions, EventOptions, Frame, KeyedOptions, Provenance, Transport } from "./transport.ts";
export type * from "./values.ts";
