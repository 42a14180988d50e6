/** Everything that an iterable yields. */
export async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const value of values) {
    seen.push(value);
  }
  return seen;
}
