/** Any value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** An object whose members the API's description leaves open. */
export interface JsonObject {
  readonly [name: string]: Json;
}
