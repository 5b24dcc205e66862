import { parseDurationMilliseconds } from "../../apimachinery/duration.ts";
import type { JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { timeMilliseconds } from "../../apimachinery/time.ts";
import { parseJq } from "./jq-query.ts";
import type { Stage } from "./stage.ts";
import type { StageFields } from "./stage-fields.ts";

const time = /^\d{4}-\d\d-\d\dT/;
const integer = /^[-+]?\d{1,15}$/;

/** The weight of a stage: what the object says, or else the stage. */
export function stageWeight(spec: StageFields): Stage["weight"] {
  const unset = spec.size("weight") ?? 0;
  const query = queryOf(spec, "weightFrom");
  return (object) => {
    const value = query?.(object);
    if (typeof value === "number") return Math.trunc(value);
    if (typeof value !== "string") return unset;
    return integer.test(value) ? Number(value) : undefined;
  };
}

/** When a stage is played (KWOK, pkg/utils/lifecycle/lifecycle.go, Delay). */
export function stageDelay(spec: StageFields): Stage["delay"] {
  const delay = spec.object("delay", [
    "durationMilliseconds",
    "durationFrom",
    "jitterDurationMilliseconds",
    "jitterDurationFrom",
  ]);
  if (delay === undefined) return () => ({ least: 0, most: undefined });
  const least = duration(delay, "durationFrom", delay.size("durationMilliseconds") ?? 0);
  const most = duration(delay, "jitterDurationFrom", delay.size("jitterDurationMilliseconds"));
  return (object, now) => {
    const from = least(object, now);
    return from === undefined ? { least: 0, most: undefined } : { least: from, most: most(object, now) };
  };
}

/** Milliseconds: of a duration, or until a time, that the object has. Empty text says that there are none. */
function duration(
  delay: StageFields,
  name: string,
  unset: number | undefined,
): (object: KubeObject, now: number) => number | undefined {
  const query = queryOf(delay, name);
  return (object, now) => {
    const value = query?.(object);
    if (typeof value !== "string") return unset;
    if (value === "") return undefined;
    const until = time.test(value) ? timeMilliseconds(value) - now : Number.NaN;
    if (!Number.isNaN(until)) return until;
    try {
      return parseDurationMilliseconds(value);
    } catch {
      return unset;
    }
  };
}

/** The first value of a query; undefined without a query, and without a value. @throws {Error} for a query that is not supported */
function queryOf(
  fields: StageFields,
  name: string,
): ((object: KubeObject) => JsonValue | undefined) | undefined {
  const from = fields.object(name, ["expressionFrom", "jq", "cel"]);
  if (from === undefined) return undefined;
  if (from.has("cel")) throw new Error(`${from.at("cel")}: CEL is not supported; supported: jq`);
  const given = from.object("jq", ["expression"]);
  const [at, field] = given === undefined ? [from, "expressionFrom"] : [given, "expression"];
  const query = at.within(field, () => parseJq(at.text(field)));
  return (object) => query(object)[0];
}
