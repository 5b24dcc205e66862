import { sha256 } from "@noble/hashes/sha2.js";
import type { Clock, Timer } from "../../apimachinery/clock.ts";
import { hexadecimal } from "../../apimachinery/der.ts";
import { jsonKey } from "../../apimachinery/json-key.ts";
import type { AuthorizationReloads } from "../contract/authorization-metrics.ts";
import type { AuthorizationEnvironment } from "../modes.ts";
import type {
  AuthorizationConfigurationSource,
  ConfiguredAuthorizers,
} from "./authorization-configuration.ts";
import { authorizerFactory } from "./authorizer-factory.ts";
import { validConfiguration } from "./valid-configuration.ts";

/** The authorizers of a configuration. @throws {ConfigurationError} for the first text */
export function loadedAuthorizers(
  source: AuthorizationConfigurationSource,
  environment: AuthorizationEnvironment,
  closing: AbortSignal,
): ConfiguredAuthorizers {
  const { text } = source;
  if (typeof text === "function") return reloadedAuthorizers(text, source, environment, closing);
  const authorizers = authorizerFactory(source, environment)(validConfiguration(text, source, environment));
  environment.metrics.reloads = () => reloadsOf(text, noReloads);
  return () => authorizers;
}

/**
 * When the text has changed and is valid, the authorizers are others from then on; when it is not valid or cannot be read, they stay, and
 * the failure is counted and reported. Upstream (pkg/kubeapiserver/authorizer/reload.go) reads the file every minute and when the system
 * reports a change. Here, each request looks for a change, so that it takes effect at once however the text is stored.
 */
function reloadedAuthorizers(
  read: () => string,
  source: AuthorizationConfigurationSource,
  environment: AuthorizationEnvironment,
  closing: AbortSignal,
): ConfiguredAuthorizers {
  const { clock, metrics } = environment;
  const authorizersOf = authorizerFactory(source, environment);
  let text = read();
  let inUse = text;
  let configuration = validConfiguration(text, source, environment);
  let authorizers = authorizersOf(configuration);
  let counts = noReloads;
  const count = (status: keyof ReloadCounts) => {
    counts = { ...counts, [status]: { count: counts[status].count + 1, last: clock.now() / 1000 } };
  };
  const use = (present: string) => {
    if (present === text) return;
    text = present;
    const changed = validConfiguration(text, source, environment);
    if (jsonKey(changed) === jsonKey(configuration)) return;
    // As upstream, a configuration is known from here on, even if its authorizers cannot be made.
    configuration = changed;
    authorizers = authorizersOf(changed);
    inUse = text;
    count("success");
  };
  const reload = (present: () => string) => {
    try {
      use(present());
    } catch (error) {
      count("failure");
      source.onReloadError(error);
    }
  };
  /** A file may be in the middle of a replacement: only the minutes report that it cannot be read. */
  const readable = (): string => {
    try {
      return read();
    } catch {
      return text;
    }
  };
  metrics.reloads = () => reloadsOf(inUse, counts);
  everyMinute(clock, closing, () => reload(read));
  return () => {
    reload(readable);
    return authorizers;
  };
}

/** Calls back every minute of the clock until the signal aborts. */
function everyMinute(clock: Clock, closing: AbortSignal, callback: () => void): void {
  const wait = (): Timer =>
    clock.after(60_000, () => {
      callback();
      timer = wait();
    });
  if (closing.aborted) return;
  let timer = wait();
  closing.addEventListener("abort", () => timer.cancel());
}

type ReloadCounts = Pick<AuthorizationReloads, "success" | "failure">;

const noReloads: ReloadCounts = { success: { count: 0, last: 0 }, failure: { count: 0, last: 0 } };

function reloadsOf(inUse: string, counts: ReloadCounts): AuthorizationReloads {
  return { serverHash: hash("kube-apiserver"), configurationHash: hash(inUse), ...counts };
}

function hash(text: string): string {
  return `sha256:${hexadecimal(sha256(new TextEncoder().encode(text)))}`;
}
