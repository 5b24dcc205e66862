import { expect, test } from "vitest";
import { plainRequest } from "../request/plain-request.ts";
import { webSocketTokenOf } from "./web-socket-token.ts";

const tokenProtocol = (text: string): string =>
  `base64url.bearer.authorization.k8s.io.${btoa(text).replaceAll("=", "")}`;
const rejected = (message: string) => ({ type: "rejected", message });

test.each<[string, string, unknown]>([
  ["a token beside another subprotocol", `${tokenProtocol("secret")}, base64.binary.k8s.io`, "secret"],
  ["no token", "base64.binary.k8s.io", undefined],
  ["an empty token", `${tokenProtocol("")}, x`, undefined],
  [
    "a token without another subprotocol",
    tokenProtocol("secret"),
    rejected("missing additional subprotocol"),
  ],
  [
    "two tokens",
    `${tokenProtocol("a")}, ${tokenProtocol("b")}, x`,
    rejected("multiple base64.bearer.authorization tokens specified"),
  ],
  [
    "a token in another encoding",
    "base64url.bearer.authorization.k8s.io.=, x",
    rejected("invalid base64.bearer.authorization token encoding"),
  ],
])("%s", (_what, protocols, expected) => {
  const headers = new Map([
    ["upgrade", "websocket"],
    ["sec-websocket-protocol", protocols],
  ]);
  expect(webSocketTokenOf(plainRequest({ method: "GET", target: "/", headers }))).toEqual(expected);
});

test("only WebSockets have a token in a subprotocol", () => {
  const headers = new Map([["sec-websocket-protocol", `${tokenProtocol("secret")}, x`]]);
  expect(webSocketTokenOf(plainRequest({ method: "GET", target: "/", headers }))).toBeUndefined();
});
