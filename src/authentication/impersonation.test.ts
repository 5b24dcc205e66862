import { describe, expect, test } from "vitest";
import { sinceOf } from "../apimachinery/release.ts";
import type { HeaderLookup } from "../request/handler.ts";
import { type Impersonation, impersonationOf } from "./impersonation.ts";
import { ImpersonationError } from "./impersonation-error.ts";

type Header = readonly [name: string, value: string];

function lookup(headers: readonly Header[]): HeaderLookup {
  const getAll = (name: string) => headers.filter(([other]) => other === name).map(([, value]) => value);
  return {
    get: (name) => getAll(name)[0],
    getAll,
    startingWith: (prefix) => headers.filter(([name]) => name.startsWith(prefix)),
  };
}

const wanted = (headers: readonly Header[], release: "1.21" | "1.32" = "1.32"): Impersonation | undefined =>
  impersonationOf(lookup(headers), sinceOf(release));

const user: Header = ["impersonate-user", "zoe"];
const group = (name: string): Header => ["impersonate-group", name];
const extra = (key: string, value: string): Header => [`impersonate-extra-${key}`, value];
const uid: Header = ["impersonate-uid", "u-1"];

test.each<[string, readonly Header[]]>([
  ["no header", []],
  ["a header that upstream does not know", [["impersonate-everything", "x"]]],
  ["an empty user alone", [["impersonate-user", ""]]],
])("%s impersonates nobody", (_title, headers) => {
  expect(wanted(headers)).toBeUndefined();
});

test.each<[string, readonly Header[], readonly string[]]>([
  ["a user", [user], ["system:authenticated"]],
  ["a user with groups", [user, group("b"), group("a")], ["b", "a", "system:authenticated"]],
  [
    "a user that names the group of all users",
    [user, group("system:authenticated")],
    ["system:authenticated"],
  ],
  [
    "a user of the group that has no credentials",
    [user, group("system:unauthenticated")],
    ["system:unauthenticated"],
  ],
  ["the anonymous user", [["impersonate-user", "system:anonymous"]], ["system:unauthenticated"]],
  [
    "a service account",
    [["impersonate-user", "system:serviceaccount:ns:app"]],
    ["system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated"],
  ],
  [
    "a service account with a group",
    [["impersonate-user", "system:serviceaccount:ns:app"], group("g")],
    ["g", "system:authenticated"],
  ],
  [
    "a name that only looks like a service account",
    [["impersonate-user", "system:serviceaccount:app"]],
    ["system:authenticated"],
  ],
])("%s has its groups", (_title, headers, groups) => {
  expect(wanted(headers)?.user.groups).toEqual(groups);
});

describe("extras", () => {
  test.each<[string, readonly Header[], Readonly<Record<string, readonly string[]>>]>([
    ["have several values", [extra("scopes", "a"), extra("scopes", "b")], { scopes: ["a", "b"] }],
    ["have percent-encoded keys", [extra("acme.com%2fproject", "p")], { "acme.com/project": ["p"] }],
    ["keep a key that is not encoded", [extra("100%", "p")], { "100%": ["p"] }],
    ["keep a value as it is", [extra("a", "x%2fy")], { a: ["x%2fy"] }],
    ["have keys that are names of prototypes", [extra("__proto__", "p")], { ["__proto__"]: ["p"] }],
    ["may be empty", [extra("a", "")], { a: [""] }],
  ])("%s", (_title, headers, expected) => {
    expect(Object.entries(wanted([user, ...headers])?.user.extra ?? {})).toEqual(Object.entries(expected));
  });
});

test("permissions are asked for in the order user, groups, extras, uid", () => {
  const { permissions = [] } = wanted([uid, extra("Scopes", "s"), group("g"), user]) ?? {};
  expect(
    permissions.map(({ verb, group, resource, subresource, name, namespace }) => [
      verb,
      group,
      [resource, subresource].join("/"),
      [namespace, name].join("/"),
    ]),
  ).toEqual([
    ["impersonate", "", "users/", "/zoe"],
    ["impersonate", "", "groups/", "/g"],
    ["impersonate", "authentication.k8s.io", "userextras/Scopes", "/s"],
    ["impersonate", "authentication.k8s.io", "uids/", "/u-1"],
  ]);
});

test("a service account is a permission in its namespace", () => {
  const { permissions = [] } = wanted([["impersonate-user", "system:serviceaccount:ns:app"]]) ?? {};
  expect(permissions).toMatchObject([{ resource: "serviceaccounts", namespace: "ns", name: "app" }]);
});

test.each<[string, readonly Header[], string]>([
  ["a group", [group("g")], "[{Group  g    }]"],
  ["a uid", [uid], "[{UID  u-1  authentication.k8s.io/v1  }]"],
  ["an extra", [extra("scopes", "s")], "[{UserExtra  s  authentication.k8s.io/v1  scopes}]"],
  [
    "several",
    [group("a"), group("b"), uid],
    "[{Group  a    } {Group  b    } {UID  u-1  authentication.k8s.io/v1  }]",
  ],
])("%s without a user is an error", (_title, headers, shown) => {
  const impersonate = () => wanted(headers);
  expect(impersonate).toThrow(ImpersonationError);
  expect(impersonate).toThrow(`requested ${shown} without impersonating a user`);
});

test("before 1.22, there is no uid to impersonate", () => {
  const impersonation = wanted([user, uid], "1.21");
  expect(impersonation?.user.uid).toBe("");
  expect(impersonation?.permissions).toHaveLength(1);
  expect(wanted([uid], "1.21")).toBeUndefined();
});
