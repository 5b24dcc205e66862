import { expect, test } from "vitest";
import { AuthenticationMetrics } from "./authentication-metrics.ts";

test("users are counted by the kind of their name, and attempts by their result", () => {
  const metrics = new AuthenticationMetrics();
  const known = ["admin", "client", "kube_proxy", "kubelet", "system:serviceaccount:kube-system:default"];
  for (const name of [...known, "a@b.c", "alice", "", "alice"]) metrics.countUser(name, 1);
  for (const result of ["error", "failure", "failure"] as const) metrics.countAttempt(result, 0);
  expect(Object.fromEntries(metrics.users)).toEqual({
    ...Object.fromEntries(known.map((name) => [name, 1])),
    email_id: 1,
    other: 3,
  });
  expect([...metrics.attempts.series].map(([labels, { count, sum }]) => [labels, count, sum])).toEqual([
    ['result="success"', 9, 9],
    ['result="error"', 1, 0],
    ['result="failure"', 2, 0],
  ]);
});

test("tokens of service accounts are counted until a reset", () => {
  const metrics = new AuthenticationMetrics();
  expect(metrics.serviceAccountTokens("valid_tokens_total")).toBe(0);
  metrics.countServiceAccountToken("valid_tokens_total");
  metrics.countServiceAccountToken("valid_tokens_total");
  expect(metrics.serviceAccountTokens("valid_tokens_total")).toBe(2);
  metrics.reset();
  expect(metrics.serviceAccountTokens("valid_tokens_total")).toBe(0);
});
