/** The annotation of a mirror pod, which shows a pod that a kubelet runs from a file. */
export const mirrorAnnotation = "kubernetes.io/config.mirror";
