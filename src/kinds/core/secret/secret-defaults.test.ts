import { expect, test } from "vitest";
import { defaulted } from "../../../../test/registry/defaulted.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

test.each<[title: string, sent: JsonObject, expected: JsonObject]>([
  ["a Secret has the type Opaque by default", {}, { type: "Opaque" }],
  ["a Secret keeps its type", { type: "x" }, { type: "x" }],
])("%s", (_, sent, expected) => expect(defaulted("v1/Secret", sent)).toMatchObject(expected));
