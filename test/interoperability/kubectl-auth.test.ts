import { expect, test } from "vitest";
import { describeKubectl, testSince } from "./kubectl.ts";

describeKubectl(
  "kubectl auth",
  ({ cluster, kubectl, run }) => {
    test("can-i answers yes to an administrator", async () => {
      expect(await kubectl("auth can-i create deployments.apps")).toBe("yes\n");
      expect(await kubectl("auth can-i get /healthz")).toBe("yes\n");
      expect(await kubectl("auth can-i --list")).toMatch(/^\*\.\* +\[\] +\[\] +\[\*\]$/m);
    });

    test("can-i answers other users according to their roles", async () => {
      const as = `--token=${cluster.token("alice")}`;
      await kubectl("create role reader --verb=get --resource=configmaps --resource-name=one");
      await kubectl("create rolebinding readers --role=reader --user=alice");
      const no = { status: 1, stdout: "no\n", stderr: "" };
      expect(await kubectl(`auth can-i get configmaps/one ${as}`)).toBe("yes\n");
      expect(await run(`auth can-i get configmaps/two ${as}`)).toEqual(no);
      expect(await run(`auth can-i get configmaps/one -n kube-system ${as}`)).toEqual(no);
      expect(await run(`auth can-i get configmaps --subresource=status ${as}`)).toEqual(no);
      expect(await kubectl(`auth can-i --list ${as}`)).toMatch(/^configmaps +\[\] +\[one\] +\[get\]$/m);
    });

    test("can-i gives the reason if a role is missing", async () => {
      await kubectl("create rolebinding dangling --role=missing --user=bob");
      expect(await run(`auth can-i get pods --token=${cluster.token("bob")}`)).toEqual({
        status: 1,
        stdout: 'no - RBAC: role.rbac.authorization.k8s.io "missing" not found\n',
        stderr: "",
      });
    });

    testSince(28, "kubectl auth whoami")("whoami", async () => {
      expect(await kubectl("auth whoami")).toMatch(
        /^ATTRIBUTE +VALUE *\nUsername +kubernetes-admin\nGroups +\[system:masters system:authenticated\]\n$/,
      );
      const token = cluster.token("alice", { groups: ["dev"], uid: "u" });
      const { status } = JSON.parse(await kubectl(`auth whoami -o json --token=${token}`));
      expect(status).toEqual({
        userInfo: { username: "alice", uid: "u", groups: ["dev", "system:authenticated"] },
      });
    });
  },
  { authorizationMode: "RBAC" },
);
