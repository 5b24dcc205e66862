export type { Clock, ClusterClock, Timer } from "./apimachinery/clock.ts";
export { VirtualClock } from "./apimachinery/clock.ts";
export { StatusError } from "./apimachinery/errors/errors.ts";
export type { JsonObject, JsonValue } from "./apimachinery/json.ts";
export type { KubeObject, ObjectMeta } from "./apimachinery/object-meta.ts";
export type { Status, StatusCause, StatusDetails, StatusReason } from "./apimachinery/status.ts";
export type { UserInfo, UserOptions } from "./apimachinery/user-info.ts";
export type { ClientCertificate } from "./authentication/certificates/issue-client-certificate.ts";
export type { IssuerFetch, IssuerRequest } from "./authentication/contract/issuer-fetch.ts";
export { createIssuer, type Issuer, type IssuerOptions } from "./authentication/issuer/issuer.ts";
export type {
  IssuerAlgorithm,
  IssuerTokenOptions,
  TokenResponse,
} from "./authentication/issuer/issuer-types.ts";
export type { PolicyRule, PolicyRuleObject } from "./authorization/contract/policy-rule.ts";
export type {
  AccessExplanation,
  MissingRole,
  ModeVerdict,
} from "./authorization/explanation/access-explanation.ts";
export type { NamedObject, RoleGrant } from "./authorization/explanation/role-grant.ts";
export type { RoleDifferences } from "./authorization/least-privilege/compared-roles.ts";
export type { AuthorizationMode } from "./authorization/modes.ts";
export type { NodeOptions, NodeTaint } from "./cluster/add-node.ts";
export type { AdmissionReport, AdmitOptions, AdmittedRequest } from "./cluster/admission-report.ts";
export type { AuthorizationConfigurationFile } from "./cluster/authorization-options.ts";
export type { ClusterClient } from "./cluster/client.ts";
export type {
  ApplyOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  ListOptions,
  ObjectOptions,
  PatchOptions,
  WatchOptions,
  WriteOptions,
} from "./cluster/client-options.ts";
export { Cluster, createCluster } from "./cluster/cluster.ts";
export type { ClusterSnapshot } from "./cluster/cluster-start.ts";
export type { ExplainedAccess, ExplainedUser } from "./cluster/explained-access.ts";
export type {
  CertificateOptions,
  CheckOptions,
  LoadOptions,
  RestoreOptions,
  TokenOptions,
} from "./cluster/method-options.ts";
export type { ObjectWatch, WatchEvent } from "./cluster/object-watch.ts";
export type { ClusterOptions } from "./cluster/options.ts";
export type { LogOptions, NodeHandle, PodHandle, PodSelection } from "./cluster/pod-handle.ts";
export type { ScriptedMetrics } from "./cluster/scripted-metrics.ts";
export type { Manifests } from "./cluster/seeding/manifest.ts";
export type { OnUnknown } from "./cluster/seeding/unknown-kinds.ts";
export type {
  BuiltInKind,
  BuiltInManifest,
  BuiltInObject,
  BuiltInVersion,
  KubeList,
  ListMeta,
  OfOwnKind,
  Written,
} from "./cluster/typed-objects.ts";
export type { ListQuery, ObjectQuery, WaitFor, WaitOptions } from "./cluster/wait-for.ts";
export type { ApiRequest, ApiResponse, Handler, HeaderLookup } from "./request/handler.ts";
export type { Peer } from "./request/peer.ts";
export type { Reachability } from "./request/reachability.ts";
export type { AdmissionOutcome, AdmissionStep, EvaluatedExpression } from "./request/request-notes.ts";
export type { AuditEvent, AuditLevel, AuditStage } from "./scenario/audit-event.ts";
export type { FaultHandle } from "./scenario/fault.ts";
export type { InjectedFaults } from "./scenario/faults.ts";
export type { DelayedCheck, FailingCheck, HealthControl } from "./scenario/health-control.ts";
export type { AccessDecision, LoggedRequest, ReachedRoute } from "./scenario/logged-request.ts";
export type { ContainerExit, PodLife, PodSelector } from "./scenario/pod-life.ts";
export type { Pods, ScriptHandle } from "./scenario/pod-scripts.ts";
export type { NearMiss, Requests } from "./scenario/request-log.ts";
export type { RequestFacts, RequestScope } from "./scenario/request-matcher.ts";
export type {
  LeastPrivilege,
  LeastPrivilegeOptions,
  RoleComparison,
  RoleManifests,
  RoleUser,
} from "./scenario/role-reports.ts";
export type { Scenario } from "./scenario/scenario.ts";
export type { AllowedPaths } from "./scenario/unserved-requests.ts";
export type {
  HeldDeliveries,
  HoldOptions,
  WatchDelivery,
  Watches,
} from "./scenario/watch-deliveries.ts";
export type { ExecPlugin } from "./transports/contract/exec-plugin.ts";
export type { UserKubeconfigOptions } from "./transports/contract/kubeconfig.ts";
export type { Control, ControlPort, ForkPort, OpenPort, Served } from "./transports/contract/served.ts";
export type { Fetch } from "./transports/web/fetch.ts";
export type { ApiServerFunction } from "./webhooks/api-server-function.ts";
export type { TargetHandle } from "./webhooks/outgoing-targets.ts";
export type {
  AttachCall,
  AttachScript,
  ContainerInput,
  ContainerOutput,
  ExecCall,
  ExecScript,
  ForwardedConnection,
  PortForwardScript,
  ProxyRequest,
  ProxyScript,
  ProxyWebSocket,
  ProxyWebSocketOptions,
  ResourceUsage,
  TerminalSize,
  WebSocketScript,
} from "./webhooks/pod-script.ts";
export type { DescribedObjects, ExternalSeries } from "./webhooks/scripted-metric.ts";
export type { KubeconfigFile, ReviewFunction, WebhookTarget } from "./webhooks/webhook-target.ts";
