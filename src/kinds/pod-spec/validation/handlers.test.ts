import { describe, expect, test } from "vitest";
import { containerFindings } from "../../../../test/registry/pods.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

type Row = readonly [title: string, object: JsonObject, findings: readonly unknown[]];

const exec = { exec: { command: ["x"] } };

describe("a probe is refused for", () => {
  test.each<Row>([
    ["no action", {}, ["livenessProbe: Required value: must specify a handler type"]],
    [
      "two actions",
      { ...exec, tcpSocket: { port: 1 } },
      ["livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type"],
    ],
    ["no command", { exec: {} }, ["livenessProbe.exec.command: Required value"]],
    [
      "an invalid port, scheme and header",
      { httpGet: { port: 0, scheme: "FTP", httpHeaders: [{ name: "a b", value: "" }] } },
      [
        "livenessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive",
        'livenessProbe.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"',
        expect.stringContaining(
          'livenessProbe.httpGet.httpHeaders: Invalid value: "a b": a valid HTTP header',
        ),
      ],
    ],
    [
      "an invalid port name",
      { tcpSocket: { port: "A" } },
      [
        "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
        "must contain at least one letter (a-z)",
      ].map((detail) => `livenessProbe.tcpSocket.port: Invalid value: "A": ${detail}`),
    ],
    [
      "an invalid gRPC port",
      { grpc: { port: 0 } },
      ["livenessProbe.grpc.port: Invalid value: 0: must be between 1 and 65535, inclusive"],
    ],
    [
      "negative numbers",
      { ...exec, initialDelaySeconds: -1, periodSeconds: -1, failureThreshold: -2, timeoutSeconds: -3 },
      [
        "initialDelaySeconds: Invalid value: -1",
        "timeoutSeconds: Invalid value: -3",
        "periodSeconds: Invalid value: -1",
        "failureThreshold: Invalid value: -2",
      ].map((finding) => `livenessProbe.${finding}: must be greater than or equal to 0`),
    ],
    [
      "a grace period of zero",
      { ...exec, terminationGracePeriodSeconds: 0 },
      ["livenessProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0"],
    ],
    [
      "a success threshold above one",
      { ...exec, successThreshold: 2 },
      ["livenessProbe.successThreshold: Invalid value: 2: must be 1"],
    ],
  ])("%s", (_title, livenessProbe, findings) => {
    expect(containerFindings({ livenessProbe })).toEqual(findings);
  });

  test("a grace period on a readiness probe", () => {
    const readinessProbe = { ...exec, successThreshold: 2, terminationGracePeriodSeconds: 5 };
    expect(containerFindings({ readinessProbe })).toEqual([
      "readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes",
    ]);
  });
});

describe("a hook is refused for", () => {
  test.each<Row>([
    ["no action", { postStart: {} }, ["lifecycle.postStart: Required value: must specify a handler type"]],
    [
      "a sleep of zero seconds",
      { preStop: { sleep: { seconds: 0 } } },
      [
        "lifecycle.preStop.sleep: Invalid value: 0: must be greater than 0 and less than terminationGracePeriodSeconds (30). Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.",
      ],
    ],
    [
      "a sleep longer than the grace period",
      { preStop: { sleep: { seconds: 31 } } },
      [
        expect.stringContaining(
          "lifecycle.preStop.sleep: Invalid value: 31: must be greater than 0 and less than",
        ),
      ],
    ],
  ])("%s", (_title, lifecycle, findings) => {
    expect(containerFindings({ lifecycle })).toEqual(findings);
  });
});
