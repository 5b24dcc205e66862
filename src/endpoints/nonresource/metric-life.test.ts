import { describe, expect, test } from "vitest";
import { type Release, releases, sinceOf } from "../../apimachinery/release.ts";
import type { MetricFamily } from "../contract/metric-family.ts";
import { metricFacts } from "./metric-facts.ts";
import { registered } from "./metric-life.ts";
import { metricText } from "./metric-text.ts";
import { withRegistryFamilies } from "./registry-families.ts";

const metric = (name: string): MetricFamily => ({
  ...{ name, type: "gauge", help: "What it is." },
  samples: new Map([["", 1]]),
});
const usual = { showHidden: false, disabled: new Set<string>(), allowedLabels: new Map() };

/** How a release shows a metric: its description; undefined if it does not. */
function shownAs(name: string, release: Release, showHidden = false): string | undefined {
  const { shown } = registered([metric(name)], release, { ...usual, showHidden });
  return /HELP \w+ (.*) What/.exec(metricText(shown))?.[1];
}

describe("a release shows a metric", () => {
  test.each<[name: string, release: Release, description: string | undefined]>([
    ["of no special life", "1.16", "[ALPHA]"],
    ["apiserver_request_total", "1.20", "[ALPHA]"],
    ["apiserver_request_total", "1.21", "[STABLE]"],
    ["kubernetes_healthcheck", "1.25", undefined],
    ["kubernetes_healthcheck", "1.27", "[ALPHA]"],
    ["kubernetes_healthcheck", "1.28", "[BETA]"],
    ["kubernetes_healthcheck", "1.29", "[STABLE]"],
    ["apiserver_longrunning_gauge", "1.22", "[ALPHA]"],
    ["apiserver_longrunning_gauge", "1.23", "[ALPHA] (Deprecated since 1.23.0)"],
    ["apiserver_longrunning_gauge", "1.24", undefined],
    ["apiserver_flowcontrol_request_concurrency_limit", "1.29", "[ALPHA]"],
    ["apiserver_flowcontrol_request_concurrency_limit", "1.30", "[ALPHA] (Deprecated since 1.30.0)"],
    ["apiserver_flowcontrol_request_concurrency_limit", "1.31", undefined],
    ["apiserver_validation_duplicate_validation_error_total", "1.34", undefined],
    ["apiserver_validation_duplicate_validation_error_total", "1.35", "[INTERNAL]"],
    ["apiserver_storage_objects", "1.34", "[STABLE]"],
    ["apiserver_storage_objects", "1.35", "[STABLE] (Deprecated since 1.34.0)"],
    ["apiserver_storage_objects", "1.36", "[STABLE] (Deprecated since 1.34.0)"],
  ])("%s in %s: %s", (name, release, description) => {
    const metricName = name.replaceAll(" ", "_");
    expect(shownAs(metricName, release)).toBe(description);
  });

  test("that it hides only on demand, and one that it has removed never", () => {
    expect(shownAs("apiserver_longrunning_gauge", "1.24", true)).toBe("[ALPHA] (Deprecated since 1.23.0)");
    expect(shownAs("apiserver_longrunning_gauge", "1.25", true)).toBeUndefined();
  });

  test("unless it is disabled, even if hidden ones are shown", () => {
    const disabled = new Set(["x"]);
    const { shown, hidden } = registered([metric("x"), metric("y")], "1.32", {
      ...usual,
      showHidden: true,
      disabled,
    });
    expect([shown.map(({ family }) => family.name), hidden]).toEqual([["y"], 1]);
  });
});

test("the metrics about metrics count all others and themselves", () => {
  const families = ["apiserver_request_total", "apiserver_flowcontrol_request_concurrency_limit", "x", "y"];
  const options = { ...usual, disabled: new Set(["y"]) };
  const text = metricText(withRegistryFamilies(families.map(metric), "1.30", options));
  expect(text.split("\n").filter((line) => /^(disabled|hidden|registered)/.test(line))).toEqual([
    "disabled_metrics_total 1",
    "hidden_metrics_total 1",
    'registered_metrics_total{deprecated_version="",stability_level="ALPHA"} 1',
    'registered_metrics_total{deprecated_version="",stability_level="BETA"} 3',
    'registered_metrics_total{deprecated_version="",stability_level="STABLE"} 1',
    'registered_metrics_total{deprecated_version="1.30.0",stability_level="ALPHA"} 1',
  ]);
  expect(withRegistryFamilies([], "1.27", usual).map(({ family }) => family.name)).toContain(
    "registered_metric_total",
  );
  expect(withRegistryFamilies([], "1.25", usual)).toEqual([]);
});

test("the facts are in the order of a life, and each metric is there once", () => {
  const names = metricFacts.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, levels, deprecated, announced, removed } of metricFacts) {
    const life = [levels.INTERNAL, levels.ALPHA, levels.BETA, levels.STABLE, deprecated, announced, removed];
    const given = life.filter((release) => release !== undefined);
    expect(name).toMatch(/^[a-z]+(?:_[a-z0-9]+)+$/);
    expect([name, given]).toEqual([name, given.toSorted((a, b) => (sinceOf(b)(a) ? -1 : 1))]);
    expect(given.every((release) => releases.includes(release))).toBe(true);
  }
});

test("the metrics about metrics are described counters", () => {
  const shown = withRegistryFamilies([], "1.30", usual).map(({ family }) => family);
  expect(shown.map(({ name, type, help }) => [name, type, help])).toEqual([
    ["disabled_metrics_total", "counter", "The count of disabled metrics."],
    ["hidden_metrics_total", "counter", "The count of hidden metrics."],
    [
      "registered_metrics_total",
      "counter",
      "The count of registered metrics broken by stability level and deprecation version.",
    ],
  ]);
});

test("the metrics about metrics stand for those of a server as they are, whatever their names", () => {
  const names = withRegistryFamilies([metric("zz"), metric("aa")], "1.30", usual).map(
    ({ family }) => family.name,
  );
  expect(names).toEqual([
    "zz",
    "aa",
    "disabled_metrics_total",
    "hidden_metrics_total",
    "registered_metrics_total",
  ]);
});
