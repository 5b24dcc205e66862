import { expect, test } from "vitest";
import { defaulted } from "../../../../test/registry/defaulted.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

test.each<[title: string, sent: JsonObject, expected: JsonObject]>([
  ["a Namespace is active by default", {}, { status: { phase: "Active" } }],
  [
    "a terminating Namespace keeps its phase",
    { status: { phase: "Terminating" } },
    { status: { phase: "Terminating" } },
  ],
])("%s", (_, sent, expected) => expect(defaulted("v1/Namespace", sent)).toMatchObject(expected));
