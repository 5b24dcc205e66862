import { integerAt, numberAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { compareText } from "../../../apimachinery/text-order.ts";
import { ageOf, conditionOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

export const flowSchemaPrinter: Printer = {
  cells: (schema, now) => [
    nameOf(schema),
    textAt(schema, "spec", "priorityLevelConfiguration", "name"),
    integerAt(schema, "spec", "matchingPrecedence"),
    distinguisher(schema),
    ageOf(schema, now),
    textAt(conditionOf(schema, "Dangling") ?? { status: "?" }, "status"),
  ],
  // The order in which the server matches schemas against a request.
  compare: (a, b) => precedence(a) - precedence(b) || compareText(nameOf(a), nameOf(b)),
};

function precedence(schema: KubeObject): number {
  return numberAt(schema, "spec", "matchingPrecedence");
}

function distinguisher(schema: KubeObject): string {
  const method = objectAt(schema, "spec", "distinguisherMethod");
  return method === undefined ? "<none>" : textAt(method, "type");
}
