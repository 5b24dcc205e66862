import { expect, test } from "vitest";
import { defaulted } from "../../../../test/registry/defaulted.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

test.each<[title: string, sent: JsonObject, expected: JsonObject]>([
  [
    "ports of Endpoints are TCP by default",
    { subsets: [{ ports: [{ port: 1 }, { port: 1, protocol: "UDP" }] }] },
    { subsets: [{ ports: [{ protocol: "TCP" }, { protocol: "UDP" }] }] },
  ],
])("%s", (_, sent, expected) => expect(defaulted("v1/Endpoints", sent)).toMatchObject(expected));
