import { describe, expect, test } from "vitest";
import { AdmissionMetrics } from "../../admission/contract/admission-metrics.ts";
import { VirtualClock } from "../../apimachinery/clock.ts";
import type { Release } from "../../apimachinery/release.ts";
import { AuthenticationMetrics } from "../../authentication/contract/authentication-metrics.ts";
import { AuthorizationMetrics } from "../../authorization/contract/authorization-metrics.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { admissionFamilies } from "./admission-metrics.ts";
import { authenticationFamilies } from "./authentication-families.ts";
import { authorizationFamilies } from "./authorization-families.ts";

/** The families of a release without any values, and their names. */
function familiesOf(release: Release, authenticationMetrics = new AuthenticationMetrics()) {
  const environment = {
    gates: featureGates(release),
    authenticationMetrics,
    authorizationMetrics: new AuthorizationMetrics(),
    admissionMetrics: new AdmissionMetrics(new VirtualClock(0)),
  };
  // The families read nothing else.
  const all = environment as Partial<EndpointEnvironment> as EndpointEnvironment;
  return [...authenticationFamilies(all), ...authorizationFamilies(all), ...admissionFamilies(all)];
}

const namesOf = (release: Release) => familiesOf(release).map(({ name }) => name);

describe("the metrics of authentication, authorization and admission", () => {
  test("have names and types of Prometheus, and descriptions", () => {
    const families = familiesOf("1.35");
    for (const { name, type, help } of families) {
      expect(name).toMatch(/^[a-z]+(_[a-z0-9]+)+$/);
      expect(["counter", "gauge", "histogram", "summary"]).toContain(type);
      // Upstream does not describe those of the cache.
      if (name.startsWith("authentication_token_cache_")) expect(help).toBe("");
      else expect(help).toMatch(/^[A-Z].{20,}[a-z).]$/);
      expect(type === "histogram" || type === "summary").toBe(
        /_seconds(_summary)?$/.test(name) && !name.includes("_timestamp_"),
      );
    }
    expect(new Set(families.map(({ name }) => name)).size).toBe(families.length);
  });

  test("are those of 1.35", () => {
    const prefix = (start: string, ...names: readonly string[]) => names.map((name) => `${start}_${name}`);
    expect(namesOf("1.35")).toEqual([
      "apiserver_client_certificate_expiration_seconds",
      "authenticated_user_requests",
      ...prefix("authentication", "attempts", "duration_seconds"),
      ...prefix(
        "authentication_token_cache",
        "active_fetch_count",
        "fetch_total",
        "request_duration_seconds",
        "request_total",
      ),
      ...prefix(
        "apiserver_authentication_jwt_authenticator",
        "latency_seconds",
        "jwks_fetch_last_timestamp_seconds",
        "jwks_fetch_last_key_set_info",
      ),
      ...prefix(
        "serviceaccount",
        "invalid_legacy_auto_token_uses_total",
        "legacy_auto_token_uses_total",
        "legacy_manual_token_uses_total",
        "legacy_tokens_total",
        "stale_tokens_total",
        "valid_tokens_total",
      ),
      ...prefix("authorization", "attempts_total", "duration_seconds"),
      ...prefix(
        "apiserver_authorization",
        "decisions_total",
        "match_condition_evaluation_errors_total",
        "match_condition_exclusions_total",
        "webhook_evaluations_fail_open_total",
        "webhook_evaluations_total",
        "match_condition_evaluation_seconds",
        "webhook_duration_seconds",
      ),
      ...prefix(
        "apiserver_admission",
        "controller_admission_duration_seconds",
        "step_admission_duration_seconds",
        "match_condition_evaluation_errors_total",
        "match_condition_evaluation_seconds",
        "match_condition_exclusions_total",
        "webhook_admission_duration_seconds",
        "webhook_fail_open_count",
        "webhook_rejection_count",
        "webhook_request_total",
      ),
      ...prefix("apiserver_mutating_admission_policy", "check_duration_seconds", "check_total"),
      ...prefix("apiserver_validating_admission_policy", "check_duration_seconds", "check_total"),
      "apiserver_admission_step_admission_duration_seconds_summary",
    ]);
  });

  test.each<[Release, number, number, string]>([
    ["1.18", 0, 4, "authentication_token_cache_"],
    ["1.19", 0, 3, "serviceaccount_"],
    ["1.28", 0, 2, "serviceaccount_legacy_auto|serviceaccount_legacy_manual"],
    ["1.28", 0, 2, "authorization_"],
    ["1.29", 0, 1, "serviceaccount_invalid"],
    ["1.30", 0, 1, "apiserver_authentication_jwt_"],
    ["1.30", 0, 7, "apiserver_authorization_"],
    ["1.35", 1, 3, "apiserver_authentication_jwt_"],
  ])("of %s are not %i but %i that begin with %s", (release, fewer, count, start) => {
    const pattern = new RegExp(`^(${start})`);
    const before: Release = `1.${Number(release.slice(2)) - 1}` as Release; // A release that the double knows.
    const known = (of: Release) => namesOf(of).filter((name) => pattern.test(name)).length;
    expect(known(release)).toBe(count);
    expect(known(before)).toBe(fewer);
  });
});

test.each<[Release, string, string]>([
  ["1.31", "apiserver_admission_webhook_fail_open_count", "(validating or mutating)"],
  ["1.32", "apiserver_admission_webhook_fail_open_count", "(validating or admit)"],
  ["1.31", "apiserver_admission_webhook_request_total", "(validating or mutating)"],
  ["1.31", "apiserver_admission_webhook_rejection_count", "(validating or admit)"],
  [
    "1.30",
    "apiserver_validating_admission_policy_check_total",
    "binding, enforcement action taken, and state",
  ],
  ["1.31", "apiserver_validating_admission_policy_check_total", "binding and enforcement action taken"],
  ["1.30", "apiserver_validating_admission_policy_check_duration_seconds", "binding, state and enforcement"],
])("%s describes %s with %j", (release, name, part) => {
  expect(familiesOf(release).find((family) => family.name === name)?.help).toContain(part);
});

describe("the metrics of authentication", () => {
  /** The samples of a metric of 1.36 by their labels. */
  function samplesOf(metrics: AuthenticationMetrics, name: string) {
    const family = familiesOf("1.36", metrics).find((one) => one.name === name);
    if (family === undefined || !("samples" in family)) return expect.unreachable(`${name} has no samples`);
    return Object.fromEntries(family.samples);
  }

  test("count the requests of users, and tokens of each kind", () => {
    const metrics = new AuthenticationMetrics();
    metrics.countUser("alice", 1);
    metrics.countUser("alice", 1);
    metrics.countServiceAccountToken("stale_tokens_total");
    expect(samplesOf(metrics, "authenticated_user_requests")).toEqual({ 'username="other"': 2 });
    expect(samplesOf(metrics, "serviceaccount_stale_tokens_total")).toEqual({ "": 1 });
    expect(samplesOf(metrics, "serviceaccount_valid_tokens_total")).toEqual({ "": 0 });
  });

  test("show the active fetches as soon as there was one", () => {
    const active = (change: (metrics: AuthenticationMetrics) => void) => {
      const metrics = new AuthenticationMetrics();
      change(metrics);
      return samplesOf(metrics, "authentication_token_cache_active_fetch_count");
    };
    expect(active(() => {})).toEqual({});
    expect(active((metrics) => metrics.countCacheFetch("ok"))).toEqual({
      'status="blocked"': 0,
      'status="in_flight"': 0,
    });
    const isBlocked = (metrics: AuthenticationMetrics) =>
      Object.assign(metrics.activeFetches, { blocked: 1, inFlight: 2 });
    expect(active(isBlocked)).toEqual({ 'status="blocked"': 1, 'status="in_flight"': 2 });
    const metrics = new AuthenticationMetrics();
    metrics.countCacheFetch("error");
    expect(samplesOf(metrics, "authentication_token_cache_fetch_total")).toEqual({ 'status="error"': 1 });
  });

  test("have the last keys of each issuer, and when they were asked for", () => {
    const metrics = new AuthenticationMetrics();
    metrics.noteKeySet("a", { serverHash: "s", success: 7, failure: 5, keySet: "k" });
    metrics.noteKeySet("b", { serverHash: "s", failure: 6 });
    const prefix = "apiserver_authentication_jwt_authenticator_jwks_fetch_last";
    const labels = (issuer: string) => `apiserver_id_hash="s",jwt_issuer_hash="${issuer}"`;
    expect(samplesOf(metrics, `${prefix}_timestamp_seconds`)).toStrictEqual({
      [`${labels("a")},result="failure"`]: 5,
      [`${labels("a")},result="success"`]: 7,
      [`${labels("b")},result="failure"`]: 6,
    });
    expect(samplesOf(metrics, `${prefix}_key_set_info`)).toEqual({
      'apiserver_id_hash="s",hash="k",jwt_issuer_hash="a"': 1,
    });
  });
});
