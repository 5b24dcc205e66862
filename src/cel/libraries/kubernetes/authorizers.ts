import { dnsLabelMessages, dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import type { FunctionDeclaration, Library } from "../../environment/declarations.ts";
import { declare, member, type OverloadExtras } from "../../environment/declare.ts";
import { add, fixed, type Range, scale } from "../../environment/estimates.ts";
import { type CelType, types } from "../../types/cel-type.ts";
import { celError, noSuchOverload } from "../../values/cel-error.ts";
import { OpaqueValue } from "../../values/opaque-value.ts";
import type { CelValue } from "../../values/value.ts";
import { binary, ternary, unary } from "../arguments.ts";
import { sizeAt, traversal } from "../costs.ts";
import { type Guard, isString } from "../guards.ts";
import { costSize } from "../sizes.ts";
import { namedType } from "./named-type.ts";

/** A question to the authorizer: may the user, or a service account instead, do this? */
export type AuthorizationCheck = {
  readonly verb: string;
  readonly serviceAccount: { readonly namespace: string; readonly name: string } | undefined;
} & (PathCheck | ResourceCheck);

export interface PathCheck {
  readonly kind: "path";
  readonly path: string;
}

export interface ResourceCheck {
  readonly kind: "resource";
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

/** What the authorizer says. */
export interface AuthorizationVerdict {
  readonly isAllowed: boolean;
  readonly reason: string;
  readonly error?: string;
}

/** Answers the checks of an expression. */
export type CheckAuthorization = (check: AuthorizationCheck) => AuthorizationVerdict;

/** The types of the variables `authorizer` and `authorizer.requestResource`. */
export const authorizerType: CelType = namedType("kubernetes.authorization.Authorizer");
export const resourceCheckType: CelType = namedType("kubernetes.authorization.ResourceCheck");

const pathCheckType = namedType("kubernetes.authorization.PathCheck");
const groupCheckType = namedType("kubernetes.authorization.GroupCheck");
const decisionType = namedType("kubernetes.authorization.Decision");
const { bool, string } = types;

/** A value that only has functions. Two of them are never equal: each is made by its own call. */
class CheckValue<T> extends OpaqueValue {
  readonly type: CelType;
  readonly content: T;

  constructor(type: CelType, content: T) {
    super();
    this.type = type;
    this.content = content;
  }

  equals(other: OpaqueValue): boolean {
    return this === other;
  }

  toString(): string {
    return this.type.name;
  }
}

interface Subject {
  readonly check: CheckAuthorization;
  readonly serviceAccount: AuthorizationCheck["serviceAccount"];
}

class AuthorizerValue extends CheckValue<Subject> {}
class PathValue extends CheckValue<Subject & { readonly path: string }> {}
class GroupValue extends CheckValue<Subject & { readonly group: string }> {}
class ResourceValue extends CheckValue<Subject & { readonly resource: ResourceCheck }> {}
class DecisionValue extends CheckValue<AuthorizationVerdict> {}

/** The value of the variable `authorizer`. */
export function authorizerValue(check: CheckAuthorization): CelValue {
  return new AuthorizerValue(authorizerType, { check, serviceAccount: undefined });
}

/** The value of the variable `authorizer.requestResource`. */
export function requestResourceValue(check: CheckAuthorization, resource: ResourceCheck): CelValue {
  return new ResourceValue(resourceCheckType, { check, serviceAccount: undefined, resource });
}

const isAuthorizer: Guard<AuthorizerValue> = (value): value is AuthorizerValue =>
  value instanceof AuthorizerValue;
const isPath: Guard<PathValue> = (value): value is PathValue => value instanceof PathValue;
const isGroup: Guard<GroupValue> = (value): value is GroupValue => value instanceof GroupValue;
const isResource: Guard<ResourceValue> = (value): value is ResourceValue => value instanceof ResourceValue;
const isDecision: Guard<DecisionValue> = (value): value is DecisionValue => value instanceof DecisionValue;

const checkCost = 350_000;
const checking: OverloadExtras = { cost: () => checkCost, estimate: () => ({ cost: fixed(checkCost) }) };

/** The authorizer and its checks. */
export const authorization: Library = {
  functions: [
    declare(
      "path",
      member(
        "authorizer_path",
        [authorizerType, string],
        pathCheckType,
        binary(isAuthorizer, isString, pathOf),
      ),
    ),
    declare(
      "group",
      member(
        "authorizer_group",
        [authorizerType, string],
        groupCheckType,
        binary(
          isAuthorizer,
          isString,
          ({ content }, group) => new GroupValue(groupCheckType, { ...content, group }),
        ),
      ),
    ),
    declare(
      "serviceAccount",
      member(
        "authorizer_serviceaccount",
        [authorizerType, string, string],
        authorizerType,
        ternary(isAuthorizer, isString, isString, serviceAccountOf),
      ),
    ),
    declare(
      "resource",
      member(
        "groupcheck_resource",
        [groupCheckType, string],
        resourceCheckType,
        binary(isGroup, isString, resourceOf),
      ),
    ),
    narrowing("subresource", "resourcecheck_subresource"),
    narrowing("namespace", "resourcecheck_namespace"),
    narrowing("name", "resourcecheck_name"),
    declare(
      "check",
      member("pathcheck_check", [pathCheckType, string], decisionType, checkCall, checking),
      member("resourcecheck_check", [resourceCheckType, string], decisionType, checkCall, checking),
    ),
    reading("errored", "decision_errored", bool, ({ error }) => error !== undefined),
    reading("error", "decision_error", string, ({ error }) => error ?? ""),
    reading("allowed", "decision_allowed", bool, ({ isAllowed }) => isAllowed),
    reading("reason", "decision_reason", string, ({ reason }) => reason),
  ],
};

/** Selectors of checks. */
export const authorizationSelectors: Library = {
  functions: [
    narrowing("fieldSelector", "authorizer_fieldselector", selectorCosts()),
    narrowing("labelSelector", "authorizer_labelselector", selectorCosts()),
  ],
};

/** Two characters may be a requirement, which is a list and an object (apiserver, pkg/cel/library/cost.go). */
function selectorCosts(): OverloadExtras {
  const costOf = (size: Range) => add(add(fixed(10), scale(size, traversal)), scale(scale(size, 0.5), 50));
  return {
    cost: ([, selector]) => costOf(fixed(costSize(selector))).max,
    estimate: (operands) => ({ cost: costOf(sizeAt(operands, 1)) }),
  };
}

function narrowing(
  name: "subresource" | "namespace" | "name" | "fieldSelector" | "labelSelector",
  id: string,
  extras: OverloadExtras = {},
): FunctionDeclaration {
  const call = binary(isResource, isString, ({ content }, value) => {
    const resource: ResourceCheck = { ...content.resource, [name]: value };
    return new ResourceValue(resourceCheckType, { ...content, resource });
  });
  return declare(name, member(id, [resourceCheckType, string], resourceCheckType, call, extras));
}

function reading(
  name: string,
  id: string,
  type: CelType,
  read: (verdict: AuthorizationVerdict) => CelValue,
): FunctionDeclaration {
  return declare(
    name,
    member(
      id,
      [decisionType],
      type,
      unary(isDecision, ({ content }) => read(content)),
    ),
  );
}

function pathOf({ content }: AuthorizerValue, path: string): CelValue {
  if (path.trim() === "") return celError("path must not be empty");
  return new PathValue(pathCheckType, { ...content, path });
}

function resourceOf({ content }: GroupValue, resource: string): CelValue {
  if (resource.trim() === "") return celError("resource must not be empty");
  const { check, serviceAccount, group } = content;
  const any = { subresource: "", namespace: "", name: "", fieldSelector: "", labelSelector: "" };
  return new ResourceValue(resourceCheckType, {
    check,
    serviceAccount,
    resource: { kind: "resource", group, resource, ...any },
  });
}

function serviceAccountOf({ content }: AuthorizerValue, namespace: string, name: string): CelValue {
  if (dnsSubdomainMessages(name).length > 0) return celError("Invalid service account name");
  if (dnsLabelMessages(namespace).length > 0) return celError("Invalid service account namespace");
  return new AuthorizerValue(authorizerType, { ...content, serviceAccount: { namespace, name } });
}

function checkCall(target: CelValue = null, verb: CelValue = null): CelValue {
  if (!isString(verb)) return noSuchOverload;
  if (isPath(target)) {
    const { check, serviceAccount, path } = target.content;
    return new DecisionValue(decisionType, check({ kind: "path", path, verb, serviceAccount }));
  }
  if (!isResource(target)) return noSuchOverload;
  const { check, serviceAccount, resource } = target.content;
  return new DecisionValue(decisionType, check({ ...resource, verb, serviceAccount }));
}
