import { DecodeError } from "../../apimachinery/decode-error.ts";
import { aggregateText } from "../../apimachinery/errors/aggregate.ts";
import { ConfigurationError } from "../../apimachinery/errors/configuration-error.ts";
import { aggregateMessage, fieldCauses } from "../../apimachinery/errors/field.ts";
import { listAt, textAt } from "../../apimachinery/fields.ts";
import { noGoTypes } from "../../apimachinery/go/go-shape.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { collectErrors } from "../../apimachinery/validation/findings.ts";
import { type AuthorizationEnvironment, authorizationModes } from "../modes.ts";
import { matchCondition } from "../webhook/match-conditions.ts";
import type { AuthorizationConfigurationSource } from "./authorization-configuration.ts";
import { addConfigurationErrors } from "./configuration-validation.ts";
import { decodedConfiguration } from "./decoded-configuration.ts";

/**
 * The configuration of a text. Upstream: `LoadAndValidateData` of pkg/kubeapiserver/authorizer/config.go.
 * @throws {ConfigurationError} that names each error
 */
export function validConfiguration(
  text: string,
  source: AuthorizationConfigurationSource,
  { gates, release }: Pick<AuthorizationEnvironment, "gates" | "release">,
): JsonObject {
  const refused = (problem: string) => new ConfigurationError(`${source.title}: ${problem}`);
  try {
    const configuration = decodedConfiguration(text, gates.since);
    const errors = collectErrors((found) =>
      addConfigurationErrors(found, configuration, {
        modes: authorizationModes,
        expressionProblem: (expression) => {
          const condition = matchCondition(expression, release);
          return "problem" in condition ? condition.problem : undefined;
        },
        fileProblem: (path) => fileProblem(path, source),
        isFunction: (name) => source.webhooks.has(name),
      }),
    );
    if (errors.length > 0) throw refused(aggregateMessage(fieldCauses(errors, gates.since, noGoTypes)));
    const problems = nameProblems(configuration);
    if (problems.length > 0) throw refused(aggregateText(problems));
    return configuration;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw refused(`failed to load AuthorizationConfiguration from file: ${error.message}`);
  }
}

/** Only webhooks choose their names. */
function nameProblems(configuration: JsonObject): readonly string[] {
  return listAt(configuration, "authorizers").flatMap((authorizer) => {
    const [type, name] = [textAt(authorizer, "type"), textAt(authorizer, "name")];
    if (type === "Webhook" || name === type.toLowerCase()) return [];
    return [`expected name ${type.toLowerCase()} for authorizer ${type} instead of ${name}`];
  });
}

function fileProblem(path: string, { readFile }: AuthorizationConfigurationSource): string | undefined {
  try {
    readFile(path);
    return undefined;
  } catch (error) {
    // Errors of Node's file system have a code.
    const { code, message } = error as Error & { readonly code?: string };
    if (code === "EISDIR") return "must be a regular file";
    return `error loading file: ${code === "ENOENT" ? `stat ${path}: no such file or directory` : message}`;
  }
}
