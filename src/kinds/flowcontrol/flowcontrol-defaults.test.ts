import { expect, test } from "vitest";
import { defaulted } from "../../../test/registry/defaulted.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

const group = "flowcontrol.apiserver.k8s.io";
const keepsZero = { annotations: { "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares": "" } };

test("a FlowSchema has precedence 1000", () => {
  expect(defaulted(`${group}/v1/FlowSchema`, {})).toMatchObject({ spec: { matchingPrecedence: 1000 } });
});

test.each<[title: string, version: string, sent: JsonObject, expected: JsonObject, metadata?: JsonObject]>([
  [
    "an exempt level lends nothing",
    "v1",
    { type: "Exempt", exempt: {} },
    { type: "Exempt", exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
  ],
  [
    "a limited level has a share and queues",
    "v1",
    { limited: { limitResponse: { type: "Queue", queuing: {} } } },
    {
      limited: {
        nominalConcurrencyShares: 30,
        lendablePercent: 0,
        limitResponse: { queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
      },
    },
  ],
  [
    "a limited level without queues gets none",
    "v1",
    { limited: { limitResponse: { type: "Reject" } } },
    { limited: { nominalConcurrencyShares: 30, limitResponse: { type: "Reject" } } },
  ],
  [
    "zero shares are kept in v1",
    "v1",
    { limited: { nominalConcurrencyShares: 0 } },
    { limited: { nominalConcurrencyShares: 0 } },
  ],
  [
    "zero shares are unset in v1beta3",
    "v1beta3",
    { limited: { nominalConcurrencyShares: 0 } },
    { limited: { nominalConcurrencyShares: 30 } },
  ],
  [
    "zero shares are kept in v1beta3 with the annotation",
    "v1beta3",
    { limited: {} },
    { limited: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
    keepsZero,
  ],
  [
    "shares have another name in v1beta2",
    "v1beta2",
    { limited: {} },
    { limited: { assuredConcurrencyShares: 30, lendablePercent: 0 } },
  ],
  [
    "shares have another name in v1alpha1",
    "v1alpha1",
    { limited: {} },
    { limited: { assuredConcurrencyShares: 30 } },
  ],
])("%s", (_, version, spec, expected, metadata = {}) => {
  const release = version === "v1alpha1" ? "1.20" : "1.29";
  const level = defaulted(
    `${group}/${version}/PriorityLevelConfiguration`,
    { metadata, spec },
    version === "v1beta2" ? "1.28" : release,
  );
  expect(level).toMatchObject({ spec: expected });
});
