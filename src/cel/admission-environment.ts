import type { Release } from "../apimachinery/release.ts";
import type { Library } from "./environment/declarations.ts";
import type { Environment } from "./environment/environment.ts";
import { type KubernetesEnvironmentOptions, kubernetesEnvironment } from "./kubernetes-environment.ts";
import { authorizerType, resourceCheckType } from "./libraries/kubernetes/authorizers.ts";
import { type CelType, listType, mapType, objectType, types } from "./types/cel-type.ts";

/** What the expressions of a webhook or a policy may refer to, besides the request and its objects. */
export interface AdmissionEnvironmentOptions extends Pick<KubernetesEnvironmentOptions, "libraryCosts"> {
  readonly release: Release;
  /** Whether the expressions are new, or those of a stored object. */
  readonly expressions: "new" | "stored";
  /** Whether there is a variable `params`. Default: no. */
  readonly hasParams?: boolean;
  /** The type of the objects, for type checking. Default: any. */
  readonly objectType?: CelType;
  /** The type of `params`, for type checking. Default: any. */
  readonly paramsType?: CelType;
  /** Whether the authorizer knows the resource of the request, which it does not in type checking. Default: yes. */
  readonly hasRequestResource?: boolean;
  /** Whether expressions may ask the authorizer; those of messages may not. Default: yes. */
  readonly hasAuthorizer?: boolean;
  /** Further variables, such as `variables`, which policies compose. Default: none. */
  readonly variables?: Iterable<readonly [name: string, type: CelType]>;
  /** The types that an expression can construct, such as `Object`. Default: none. */
  readonly objectTypes?: Iterable<CelType>;
  /** Further libraries, such as that of JSON patches. Default: none. */
  readonly extensions?: readonly Library[];
}

/**
 * The environment of expressions in webhook configurations and admission policies. Upstream: apiserver,
 * pkg/admission/plugin/cel/compile.go.
 */
export function admissionEnvironment(options: AdmissionEnvironmentOptions): Environment {
  const {
    release,
    expressions,
    hasParams = false,
    hasAuthorizer = true,
    hasRequestResource = true,
    objectType: ofObjects = types.dyn,
    paramsType: ofParams = types.dyn,
    variables = [],
    objectTypes = [],
    extensions = [],
    libraryCosts = "full",
  } = options;
  return kubernetesEnvironment({
    libraryCosts,
    release,
    expressions,
    objectTypes,
    extensions,
    variables: [
      ["object", ofObjects],
      ["oldObject", ofObjects],
      ["namespaceObject", namespaceType],
      ["request", requestType],
      ...(hasParams ? ([["params", ofParams]] as const) : []),
      ...(hasAuthorizer ? [authorizerVariable] : []),
      ...(hasAuthorizer && hasRequestResource ? [requestResourceVariable] : []),
      ...variables,
    ],
  });
}

const authorizerVariable = ["authorizer", authorizerType] as const;
const requestResourceVariable = ["authorizer.requestResource", resourceCheckType] as const;

const texts = listType(types.string);
const textMap = mapType(types.string, types.string);

const kindType = objectType("kubernetes.GroupVersionKind", {
  group: types.string,
  version: types.string,
  kind: types.string,
});
const resourceType = objectType("kubernetes.GroupVersionResource", {
  group: types.string,
  version: types.string,
  resource: types.string,
});

/** An AdmissionRequest without `uid`, `object` and `oldObject`. */
const requestType = objectType("kubernetes.AdmissionRequest", {
  kind: kindType,
  resource: resourceType,
  subResource: types.string,
  requestKind: kindType,
  requestResource: resourceType,
  requestSubResource: types.string,
  name: types.string,
  namespace: types.string,
  operation: types.string,
  userInfo: objectType("kubernetes.UserInfo", {
    username: types.string,
    uid: types.string,
    groups: texts,
    extra: mapType(types.string, texts),
  }),
  dryRun: types.bool,
  options: types.dyn,
});

const namespaceType = objectType("kubernetes.Namespace", {
  metadata: objectType("kubernetes.NamespaceMetadata", {
    name: types.string,
    generateName: types.string,
    namespace: types.string,
    labels: textMap,
    annotations: textMap,
    UID: types.string,
    creationTimestamp: types.timestamp,
    deletionGracePeriodSeconds: types.int,
    deletionTimestamp: types.timestamp,
    generation: types.int,
    resourceVersion: types.string,
    finalizers: texts,
  }),
  spec: objectType("kubernetes.NamespaceSpec", { finalizers: texts }),
  status: objectType("kubernetes.NamespaceStatus", {
    conditions: listType(
      objectType("kubernetes.NamespaceCondition", {
        status: types.string,
        type: types.string,
        lastTransitionTime: types.timestamp,
        message: types.string,
        reason: types.string,
      }),
    ),
    phase: types.string,
  }),
});
