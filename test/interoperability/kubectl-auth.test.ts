import { expect, test } from "vitest";
import { certificateRequest } from "../authentication/certificate-request.ts";
import { describeKubectl, testSince } from "./kubectl.ts";

describeKubectl(
  "kubectl auth",
  ({ cluster, file, kubectl, run }) => {
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

    test("impersonation shows the impersonated user, and needs permission", async () => {
      const who = "auth whoami -o json --as=zoe --as-group=dev --as-group=ops --as-uid=u-1";
      const { status } = JSON.parse(await kubectl(who));
      expect(status.userInfo).toEqual({
        username: "zoe",
        uid: "u-1",
        groups: ["dev", "ops", "system:authenticated"],
      });
      const asAlice = `--token=${cluster.token("alice")}`;
      expect(await run(`get pods --as=zoe ${asAlice}`)).toEqual({
        status: 1,
        stdout: "",
        stderr:
          'Error from server (Forbidden): users "zoe" is forbidden: User "alice" cannot impersonate resource "users" in API group "" at the cluster scope\n',
      });
    });

    test("create token issues a token that logs in until its pod is gone", async () => {
      await kubectl("create configmap data");
      await cluster.create({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "web", namespace: "default" },
        spec: { serviceAccountName: "default", containers: [{ name: "c", image: "i" }] },
      });
      const token = await kubectl("create token default --bound-object-kind=Pod --bound-object-name=web");
      const { status } = JSON.parse(await kubectl(`auth whoami -o json --token=${token.trim()}`));
      expect(status.userInfo).toMatchObject({
        username: "system:serviceaccount:default:default",
        extra: { "authentication.kubernetes.io/pod-name": ["web"] },
      });
      await kubectl("delete pod web --now");
      await cluster.clock.advance("10s");
      const refused = await run(`get pods --token=${token.trim()}`);
      expect(refused.stderr).toMatch(/You must be logged in to the server \(Unauthorized\)/);
    });

    /** A kubeconfig for the same server with a client certificate. */
    async function kubeconfigWith(certificate: { certificate: string; key: string }): Promise<string> {
      const { clusters } = JSON.parse(await kubectl("config view --raw -o json"));
      const { server, "certificate-authority-data": certificateAuthorityData } = clusters[0].cluster;
      return file("certificate.yaml", cluster.kubeconfig({ server, certificateAuthorityData, certificate }));
    }

    test("a certificate in a kubeconfig logs in", async () => {
      const kubeconfig = await kubeconfigWith(await cluster.certificate("alice", { groups: ["dev"] }));
      const { status } = JSON.parse(await kubectl(`auth whoami -o json --kubeconfig=${kubeconfig}`));
      expect(status.userInfo).toMatchObject({ username: "alice", groups: ["dev", "system:authenticated"] });
    });

    test("certificate approve issues a certificate that logs in", async () => {
      const { request, key } = certificateRequest("bob", ["ops"]);
      const spec = { request, signerName: "kubernetes.io/kube-apiserver-client", usages: ["client auth"] };
      const csr = { apiVersion: "certificates.k8s.io/v1", kind: "CertificateSigningRequest" };
      await kubectl("create -f -", JSON.stringify({ ...csr, metadata: { name: "bob" }, spec }));
      await kubectl("certificate approve bob");
      await cluster.settle();
      expect(await kubectl("get csr bob")).toMatch(/Approved,Issued/);
      const issued = await kubectl("get csr bob -o jsonpath={.status.certificate}");
      const kubeconfig = await kubeconfigWith({ certificate: atob(issued), key });
      const { status } = JSON.parse(await kubectl(`auth whoami -o json --kubeconfig=${kubeconfig}`));
      expect(status.userInfo).toMatchObject({ username: "bob", groups: ["ops", "system:authenticated"] });
    });
  },
  { authorizationMode: "RBAC" },
);
