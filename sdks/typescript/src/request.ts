/** What is sent to a server for an operation: decided here, sent in http.ts. */

import { BadInput } from "./errors.ts";
import type { Route } from "./operations.ts";
import type { Provenance } from "./transport.ts";

/** A request below a server's address. */
export interface Asked {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
}

type Values = Readonly<Record<string, unknown>>;

export function requestOf(name: string, route: Route, values: object, by: Provenance, key?: string): Asked {
  const { path, rest } = placed(name, route.path, values as Values);
  const headers: Record<string, string> = { Accept: "application/json, application/octet-stream;q=0.9" };
  if (key !== undefined) {
    headers["Idempotency-Key"] = encodeURIComponent(key);
  }
  const who = { actor_id: by.actorId, origin: by.origin };
  switch (route.takes) {
    case "query":
      return { method: route.method, target: path + queryOf(rest), headers };
    case "bytes": {
      const { data, ...others } = rest;
      headers["Content-Type"] = "application/octet-stream";
      return { method: route.method, target: path + queryOf({ ...others, ...who }), headers, body: data as BodyInit };
    }
    case "json":
      headers["Content-Type"] = "application/json";
      return { method: route.method, target: path, headers, body: JSON.stringify({ ...rest, ...who }) };
  }
}

/** The address of a server as it is used; throws BadInput for what is none. */
export function addressOf(url: string): string {
  let parts: URL;
  try {
    parts = new URL(url.includes("://") ? url : `http://${url}`);
  } catch {
    parts = new URL("none:");
  }
  if (parts.protocol !== "http:" && parts.protocol !== "https:") {
    throw new BadInput("That is not the address of a server.", "It looks like http://127.0.0.1:7878.");
  }
  if (parts.username !== "" || parts.password !== "") {
    throw new BadInput("The address of a server holds no password.", "Give the token as an option of its own.");
  }
  return parts.origin + parts.pathname.replace(/\/+$/, "");
}

function placed(name: string, template: string, values: Values): { path: string; rest: Values } {
  const rest = { ...values };
  const path = template.replace(/\{(\w+)\}/g, (_, word: string) => {
    const value = String(rest[word] ?? "");
    delete rest[word];
    // An address drops these segments, however they are escaped, and would name something else.
    if (["", ".", ".."].includes(value)) {
      throw new BadInput(`${name}: ${JSON.stringify(value)} is no ${word}.`, "Name what is meant by its id.");
    }
    return encodeURIComponent(value);
  });
  return { path, rest };
}

function queryOf(values: Values): string {
  const query = new URLSearchParams();
  for (const [word, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) {
        query.append(word, String(one));
      }
    }
  }
  const said = query.toString();
  return said === "" ? "" : `?${said}`;
}
