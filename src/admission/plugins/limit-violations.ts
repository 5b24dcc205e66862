import { listAt, objectAt, structAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Quantity } from "../../apimachinery/quantity.ts";
import { type Amounts, amountsIn, amountsOf, amountsOfPod } from "../../kinds/quantities/resource-amounts.ts";

/** Amounts that a limit applies to, and the type that limits name them by. */
interface Subject {
  readonly type: string;
  readonly requests: Amounts;
  /** Undefined for a claim, which has no limits. */
  readonly limits: Amounts | undefined;
}

/** How a pod or a claim violates the limits of its namespace, in upstream's messages. */
export function limitViolations(object: KubeObject, limits: readonly JsonObject[]): readonly string[] {
  return limits.flatMap((limit) =>
    subjectsOf(object, textAt(limit, "type")).flatMap((subject) => [
      ...each(limit, "min", (name, least) => belowMinimum(subject, name, least)),
      ...each(limit, "max", (name, most) => aboveMaximum(subject, name, most)),
      ...each(limit, "maxLimitRequestRatio", (name, most) => aboveRatio(subject, name, most)),
    ]),
  );
}

function subjectsOf(object: KubeObject, type: string): readonly Subject[] {
  const spec = structAt(object, "spec");
  if (object.kind === "PersistentVolumeClaim") {
    return type === object.kind ? [{ type, requests: amountsOf(spec, "requests"), limits: undefined }] : [];
  }
  if (type === "Pod") {
    return [{ type, requests: amountsOfPod(spec, "requests"), limits: amountsOfPod(spec, "limits") }];
  }
  if (type !== "Container") return [];
  const containers = [...listAt(spec, "containers"), ...listAt(spec, "initContainers")];
  return containers.map((container) => ({
    type,
    requests: amountsOf(container, "requests"),
    limits: amountsOf(container, "limits"),
  }));
}

function each(
  limit: JsonObject,
  field: string,
  check: (name: string, enforced: Quantity) => string | undefined,
): readonly string[] {
  return [...amountsIn(objectAt(limit, field))].flatMap(([name, enforced]) => check(name, enforced) ?? []);
}

function belowMinimum(subject: Subject, name: string, least: Quantity): string | undefined {
  const rule = `minimum ${name} usage per ${subject.type} is ${least}`;
  const request = subject.requests.get(name);
  const limit = subject.limits?.get(name);
  if (request === undefined) return `${rule}.  No request is specified`;
  if (request.compare(least) < 0) return `${rule}, but request is ${request}`;
  if (limit !== undefined && limit.compare(least) < 0) return `${rule}, but limit is ${limit}`;
  return undefined;
}

function aboveMaximum({ type, requests, limits }: Subject, name: string, most: Quantity): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${most}`;
  const request = requests.get(name);
  const limit = limits?.get(name);
  if (limits === undefined && request === undefined) return `${rule}.  No request is specified`;
  if (limits !== undefined && limit === undefined) return `${rule}.  No limit is specified`;
  if (limit !== undefined && limit.compare(most) > 0) return `${rule}, but limit is ${limit}`;
  if (request !== undefined && request.compare(most) > 0) return `${rule}, but request is ${request}`;
  return undefined;
}

function aboveRatio({ type, requests, limits }: Subject, name: string, most: Quantity): string | undefined {
  if (limits === undefined) return undefined;
  const rule = `${name} max limit to request ratio per ${type} is ${most}`;
  const request = requests.get(name)?.asApproximateFloat() ?? 0;
  const limit = limits.get(name)?.asApproximateFloat() ?? 0;
  if (request === 0) return `${rule}, but no request is specified or request is 0`;
  if (limit === 0) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = limit / request;
  return ratio > most.asApproximateFloat() ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}
