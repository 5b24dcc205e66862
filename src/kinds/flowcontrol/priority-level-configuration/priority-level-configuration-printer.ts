import { integerAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonValue } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const priorityLevelConfigurationPrinter: Printer = {
  cells: (level, now) => [
    nameOf(level),
    textAt(level, "spec", "type"),
    ...concurrency(level),
    ageOf(level, now),
  ],
};

/**
 * Four cells: the concurrency shares, the number of queues, the hand size and the queue length. Versions before v1beta3
 * call the shares `assuredConcurrencyShares`.
 */
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
