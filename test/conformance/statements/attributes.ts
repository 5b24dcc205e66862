import type { Statement } from "./statement.ts";

const attributesSource = "apiserver, pkg/endpoints/request/requestinfo_test.go";

/** What authorization sees of a request: the verb, the resource, its group, the namespace and the name. */
const attributes: readonly (readonly [
  request: string,
  verb: string,
  resource: string,
  group: string,
  where: string,
  name?: string,
])[] = [
  ["GET /api/v1/namespaces", "list", "namespaces", "", ""],
  ["GET /api/v1/namespaces/other", "get", "namespaces", "", "other", "other"],
  ["GET /api/v1/namespaces/other/pods", "list", "pods", "", "other"],
  ["GET /api/v1/namespaces/other/pods/foo", "get", "pods", "", "other", "foo"],
  ["GET /api/v1/pods", "list", "pods", "", ""],
  ["GET /api/v1/pods/", "list", "pods", "", ""],
  ["GET /api/v1/proxy/namespaces/other/pods/foo", "proxy", "pods", "", "other", "foo"],
  [
    "GET /api/v1/proxy/namespaces/other/pods/foo/subpath/not/a/subresource",
    "proxy",
    "pods",
    "",
    "other",
    "foo",
  ],
  ["GET /api/v1/watch/pods", "watch", "pods", "", ""],
  ["GET /api/v1/pods?watch=true", "watch", "pods", "", ""],
  ["GET /api/v1/pods?watch", "watch", "pods", "", ""],
  ["GET /api/v1/pods?watch=", "watch", "pods", "", ""],
  ["GET /api/v1/pods?watch=yes", "watch", "pods", "", ""],
  ["GET /api/v1/pods?watch=false", "list", "pods", "", ""],
  ["GET /api/v1/pods?watch=FALSE", "list", "pods", "", ""],
  ["GET /api/v1/pods?watch=0", "list", "pods", "", ""],
  ["GET /api/v1/pods?watch=0&watch=1", "list", "pods", "", ""],
  ["GET /api/v1/pods?watch=1&limit=abc", "watch", "pods", "", ""],
  ["GET /api/v1/pods?watch=0&limit=abc", "list", "pods", "", ""],
  ["GET /api/v1/watch/namespaces/other/pods", "watch", "pods", "", "other"],
  ["GET /api/v1/watch/namespaces/other/pods/foo", "watch", "pods", "", "other", "foo"],
  ["GET /api/v1/namespaces/other/pods?watch=1", "watch", "pods", "", "other"],
  ["GET /api/v1/namespaces/other/pods?watch=0", "list", "pods", "", "other"],
  ["GET /api/v1/namespaces/other/pods/foo?watch=1", "get", "pods", "", "other", "foo"],
  ["GET /api/v1/namespaces/other/pods/foo/status", "get", "pods/status", "", "other", "foo"],
  ["GET /api/v1/namespaces/other/pods/foo/proxy/subpath", "get", "pods/proxy", "", "other", "foo"],
  ["GET /api/v1/namespaces/other/pods/foo/log", "get", "pods/log", "", "other", "foo"],
  ["POST /api/v1/namespaces/other/pods/foo/exec", "create", "pods/exec", "", "other", "foo"],
  ["POST /api/v1/namespaces/other/pods/foo/binding", "create", "pods/binding", "", "other", "foo"],
  ["PUT /api/v1/namespaces/other/finalize", "update", "namespaces/finalize", "", "other", "other"],
  ["PUT /api/v1/namespaces/other/status", "update", "namespaces/status", "", "other", "other"],
  ["PATCH /api/v1/namespaces/other/status", "patch", "namespaces/status", "", "other", "other"],
  ["PATCH /api/v1/namespaces/other/pods/foo", "patch", "pods", "", "other", "foo"],
  ["DELETE /api/v1/namespaces/other/pods/foo", "delete", "pods", "", "other", "foo"],
  ["POST /api/v1/namespaces/other/pods", "create", "pods", "", "other"],
  ["POST /api/v1/pods", "create", "pods", "", ""],
  ["DELETE /api/v1/nodes", "deletecollection", "nodes", "", ""],
  ["DELETE /api/v1/namespaces", "deletecollection", "namespaces", "", ""],
  ["DELETE /api/v1/namespaces/other/pods", "deletecollection", "pods", "", "other"],
  ["DELETE /apis/extensions/v1/namespaces/other/pods", "deletecollection", "pods", "extensions", "other"],
  ["POST /apis/extensions/v1/namespaces/other/pods", "create", "pods", "extensions", "other"],
  ["POST /apis/extensions/v1beta3/namespaces/other/pods", "create", "pods", "extensions", "other"],
  ["GET /apis/batch/v1/job", "list", "job", "batch", ""],
  ["GET /apis/batch/v1/job/foo", "get", "job", "batch", "", "foo"],
  ["GET /apis/batch/v1/job/foo/scale", "get", "job/scale", "batch", "", "foo"],
  ["GET /apis/group/version/resource", "list", "resource", "group", ""],
  [
    "GET /apis/group/version/resource?fieldSelector=metadata.name=name1",
    "list",
    "resource",
    "group",
    "",
    "name1",
  ],
  [
    "GET /apis/group/version/resource?watch=true&fieldSelector=metadata.name=name1",
    "watch",
    "resource",
    "group",
    "",
    "name1",
  ],
  [
    "GET /apis/group/version/resource?fieldSelector=metadata.name==name1",
    "list",
    "resource",
    "group",
    "",
    "name1",
  ],
  ["GET /apis/group/version/resource?fieldSelector=metadata.name!=name1", "list", "resource", "group", ""],
  [
    "GET /apis/group/version/resource?fieldSelector=metadata.namespace=a,metadata.name=b",
    "list",
    "resource",
    "group",
    "",
    "b",
  ],
  ["GET /apis/group/version/resource?fieldSelector=metadata.name=a/b", "list", "resource", "group", ""],
  ["GET /apis/group/version/resource?fieldSelector=metadata.name=..", "list", "resource", "group", ""],
  [
    "GET /apis/group/version/resource?fieldSelector=foo=bar&labelSelector=baz=qux",
    "list",
    "resource",
    "group",
    "",
  ],
  ["GET /apis/group/version/resource?fieldSelector=metadata.name=name1,foo", "list", "resource", "group", ""],
  [
    "GET /apis/group/version/resource?fieldSelector=metadata.name=name1,foo&watch=true",
    "watch",
    "resource",
    "group",
    "",
  ],
  [
    "GET /apis/group/version/resource?fieldSelector=metadata.name=name1,foo&watch=false",
    "list",
    "resource",
    "group",
    "",
  ],
  [
    "GET /apis/group/version/resource?fieldSelector=metadata.name=name1&limit=abc",
    "list",
    "resource",
    "group",
    "",
  ],
  [
    "GET /apis/group/version/resource?fieldSelector=metadata.name=name1&labelSelector=a,,b",
    "list",
    "resource",
    "group",
    "",
  ],
  [
    "DELETE /apis/group/version/resource?fieldSelector=foo=bar&labelSelector=baz=qux",
    "deletecollection",
    "resource",
    "group",
    "",
  ],
  [
    "DELETE /apis/group/version/resource?fieldSelector=metadata.name=x",
    "deletecollection",
    "resource",
    "group",
    "",
    "x",
  ],
  [
    "GET /apis/group/version/resource?fieldSelector=metadata.name=foo&fieldSelector=metadata.name=bar",
    "list",
    "resource",
    "group",
    "",
    "foo",
  ],
  [
    "GET /apis/group/version/resource/name?fieldSelector=foo=bar&labelSelector=foo=bar",
    "get",
    "resource",
    "group",
    "",
    "name",
  ],
  ["BREW /api/v1/pods", "", "pods", "", ""],
  ["OPTIONS /api/v1/pods", "", "pods", "", ""],
];

function attributeStatement([
  line,
  verb,
  resource,
  group,
  where,
  name,
]: (typeof attributes)[number]): Statement {
  const [method = "", target = ""] = line.split(" ");
  const [plain = ""] = resource.split("/");
  const of = `${plain}${group === "" ? "" : `.${group}`}${name === undefined ? "" : ` "${name}"`}`;
  const place = where === "" ? "at the cluster scope" : `in the namespace "${where}"`;
  return {
    source: attributesSource,
    says: `${line} is ${verb || "no verb"} of ${resource}${name === undefined ? "" : ` ${name}`}`,
    request: { method, target },
    as: "alice",
    code: 403,
    answer: `${of} is forbidden: User "alice" cannot ${verb} resource "${resource}" in API group "${group}" ${place}`,
  };
}

const plainPaths =
  "/ /api /api/v1 /apis /apis/batch /apis/batch/v1 /apis/extensions/v1beta1/ /not-api/version/resource /badprefix /version2 /healthz/x /metrics /openapi/v2/x".split(
    " ",
  );

function pathStatement(path: string): Statement {
  return {
    source: attributesSource,
    says: `${path} names no resource`,
    request: { method: "PUT", target: path },
    as: "alice",
    code: 403,
    answer: `forbidden: User "alice" cannot put path "${path}"`,
  };
}

export const attributeStatements: readonly Statement[] = [
  ...attributes.map(attributeStatement),
  ...plainPaths.filter((path) => path !== "/").map(pathStatement),
];
