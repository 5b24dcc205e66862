import { expect, test } from "vitest";
import { namedAddress } from "./target-option-types.ts";

test.each([
  ["policies/webhook", "127.0.0.1:9443", "policies/webhook", { host: "127.0.0.1", port: 9443 }],
  ["a/b", "[::1]:1", "a/b", { host: "::1", port: 1 }],
  ["a/b", "hooks.test:65535", "a/b", { host: "hooks.test", port: 65_535 }],
  ["https://Hooks.example.com", "localhost:1", "https://hooks.example.com", { host: "localhost", port: 1 }],
  ["https://h.test:443/", "localhost:1", "https://h.test", { host: "localhost", port: 1 }],
  ["https://h.test:8443", "localhost:1", "https://h.test:8443", { host: "localhost", port: 1 }],
])("%s is at %s", (server, address, name, place) => {
  expect(namedAddress(server, address)).toEqual({ server: name, address: place });
});

test.each([
  ["webhook", "127.0.0.1:1", "the name of a Service"],
  ["a/b/c", "127.0.0.1:1", "the name of a Service"],
  ["http://h.test", "127.0.0.1:1", "an origin"],
  ["https://h.test/path", "127.0.0.1:1", "an origin"],
  ["https://user@h.test", "127.0.0.1:1", "an origin"],
  ["https://h.test?a", "127.0.0.1:1", "an origin"],
  ["a/b", "127.0.0.1", "a host and a port"],
  ["a/b", "https://127.0.0.1:1", "a host and a port"],
  ["a/b", "127.0.0.1:0", "a host and a port"],
  ["a/b", "127.0.0.1:65536", "a host and a port"],
  ["a/b", "::1:80", "a host and a port"],
])("%s at %s is refused", (server, address, message) => {
  expect(() => namedAddress(server, address)).toThrow(message);
});
