import { type JsonObject, type JsonValue, jsonEqual } from "../../apimachinery/json.ts";

/**
 * What differs between two structures, after the line that says it must not. Upstream appends what its library for tests
 * prints, which changes from run to run on purpose; of that the marks of what was and of what would be are kept.
 */
export function immutableDiff(goType: string, object: JsonObject, old: JsonObject): string {
  const names = [...new Set([...Object.keys(old), ...Object.keys(object)])];
  const changed = names.filter((name) => !jsonEqual(old[name], object[name]));
  const lines = changed.flatMap((name) => [...line("-", name, old[name]), ...line("+", name, object[name])]);
  return [`  ${goType}{`, ...lines, "  \t... // identical fields", "  }", ""].join("\n");
}

function line(mark: string, name: string, value: JsonValue | undefined): readonly string[] {
  return value === undefined ? [] : [`${mark} \t${name}: ${JSON.stringify(value)},`];
}
