import { integerAt, numberAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import { ageOf, conditionOf, nameOf } from "../../codec/tables/cell-text.ts";
import type { GroupPrinters } from "../../codec/tables/printer.ts";

export const flowcontrolPrinters: GroupPrinters = {
  flowschemas: {
    cells: (schema, now) => [
      nameOf(schema),
      textAt(schema, "spec", "priorityLevelConfiguration", "name"),
      integerAt(schema, "spec", "matchingPrecedence"),
      distinguisher(schema),
      ageOf(schema, now),
      textAt(conditionOf(schema, "Dangling") ?? { status: "?" }, "status"),
    ],
    // In the order in which they are tried on a request.
    compare: (a, b) => precedence(a) - precedence(b) || compareText(nameOf(a), nameOf(b)),
  },
  prioritylevelconfigurations: {
    cells: (level, now) => [
      nameOf(level),
      textAt(level, "spec", "type"),
      ...concurrency(level),
      ageOf(level, now),
    ],
  },
};

function precedence(schema: KubeObject): number {
  return numberAt(schema, "spec", "matchingPrecedence");
}

function distinguisher(schema: KubeObject): string {
  const method = objectAt(schema, "spec", "distinguisherMethod");
  return method === undefined ? "<none>" : textAt(method, "type");
}

/** The shares, then queues, hand size and queue length: four cells. The shares had another name before 1.26. */
function concurrency(level: KubeObject): readonly JsonValue[] {
  const limited = objectAt(level, "spec", "limited");
  if (limited === undefined) return Array(4).fill("<none>");
  const shares = limited.nominalConcurrencyShares ?? integerAt(limited, "assuredConcurrencyShares");
  const queuing = objectAt(limited, "limitResponse", "queuing");
  if (queuing === undefined) return [shares, "<none>", "<none>", "<none>"];
  return [
    shares,
    integerAt(queuing, "queues"),
    integerAt(queuing, "handSize"),
    integerAt(queuing, "queueLengthLimit"),
  ];
}
