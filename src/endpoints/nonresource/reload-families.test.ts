import { expect, test } from "vitest";
import type { ConfigurationReloads } from "../../authentication/contract/configuration-reloads.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { reloadFamilies } from "./reload-families.ts";

const reloads: ConfigurationReloads = {
  serverHash: "server",
  configurationHash: "configuration",
  failure: { count: 0, last: 0 },
  success: { count: 2, last: 17 },
};
const info = {
  name: "apiserver_authorization_config_controller_last_config_info",
  type: "gauge",
  help: "Information about the last applied authorization configuration with hash as label, split by apiserver identity.",
  samples: new Map([['apiserver_id_hash="server",hash="configuration"', 1]]),
};
const families = (failures: readonly (readonly [string, number])[][] = [[], []]) => [
  {
    name: "apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds",
    type: "gauge",
    help: "Timestamp of the last automatic reload of authorization configuration split by status and apiserver identity.",
    samples: new Map([...(failures[0] ?? []), ['apiserver_id_hash="server",status="success"', 17]]),
  },
  {
    name: "apiserver_authorization_config_controller_automatic_reloads_total",
    type: "counter",
    help: "Total number of automatic reloads of authorization configuration split by status and apiserver identity.",
    samples: new Map([...(failures[1] ?? []), ['apiserver_id_hash="server",status="success"', 2]]),
  },
];

test.each([
  ["1.29", []],
  ["1.30", families()],
  ["1.33", families()],
  ["1.34", [...families(), info]],
] as const)("the metrics of reloads in %s", (release, expected) => {
  expect(reloadFamilies("authorization", reloads, featureGates(release))).toEqual(expected);
});

test("a server without a configuration that is read again has none", () => {
  expect(reloadFamilies("authorization", undefined, featureGates("1.34"))).toEqual([]);
});

test("failures are counted from the first one", () => {
  const failed = { ...reloads, failure: { count: 1, last: 5 } };
  const label = 'apiserver_id_hash="server",status="failure"';
  expect(reloadFamilies("authorization", failed, featureGates("1.30"))).toEqual(
    families([[[label, 5]], [[label, 1]]]),
  );
  const [first] = reloadFamilies("authentication", reloads, featureGates("1.30"));
  expect(first).toMatchObject({
    name: "apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds",
    help: expect.stringContaining("reload of authentication configuration"),
  });
});
