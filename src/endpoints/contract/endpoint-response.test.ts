import { expect, test } from "vitest";
import { readResponseBody } from "../../request/plain-request.ts";
import { type EndpointResponse, pageNotFound, plainText, sniffedText } from "./endpoint-response.ts";

const type = ["Content-Type", "text/plain; charset=utf-8"];
const nosniff = ["X-Content-Type-Options", "nosniff"];

test.each<[title: string, response: EndpointResponse, expected: readonly unknown[]]>([
  ["an error in plain text", plainText(418, "tea"), [418, [type, nosniff], "tea"]],
  ["a recognized text", sniffedText(201, "tea"), [201, [type], "tea"]],
  ["an unknown path", pageNotFound(), [404, [type, nosniff], "404 page not found\n"]],
])("%s has its status, its type and its text", async (_title, { status, headers, body }, expected) => {
  expect([status, headers, new TextDecoder().decode(await readResponseBody(body))]).toEqual(expected);
});
