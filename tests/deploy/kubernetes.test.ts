// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The overlays of deploy/kubernetes as kubectl renders them: their objects by themselves, and what one file says that
// another must say too.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.js';
import type { ConfigMap, Container, Namespace, Probe, Service } from 'kubernetes-types/core/v1.js';
import type { Ingress, NetworkPolicy, NetworkPolicyPeer } from 'kubernetes-types/networking/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import { bytesOf, deploy, read, readYaml, Settings, temporaryDirectory } from './deployed.js';
import { faultsOf, type KubernetesObject } from './kubernetes_types.js';

const rendered = process.env['RENDERED'] ?? '';
// PostgreSQL takes 100 unless configured otherwise, and keeps 3 of them for its administrator.
const connectionsOfPostgres = 97;

for (const overlay of readdirSync(join(deploy, 'kubernetes/overlays'))) {
  describe(`the overlay ${overlay}`, () => {
    const objects = readYaml(read(join(rendered, `${overlay}.yaml`))) as KubernetesObject[];
    const one = <T>(kind: string): T => {
      const found = objects.filter((object) => object.kind === kind);
      assert.equal(found.length, 1, `${found.length} objects are a ${kind}`);
      return found[0] as T;
    };
    const deployment = one<Deployment>('Deployment');
    const pod = deployment.spec?.template;
    assert(pod?.spec && pod.metadata?.labels);
    const { spec } = pod;
    const podLabels = pod.metadata.labels;
    const annotations = pod.metadata.annotations ?? {};
    const container = spec.containers[0] as Container;
    const containers = [...spec.containers, ...(spec.initContainers ?? [])];
    const ports = new Map((container.ports ?? []).map((port) => [port.name, port.containerPort]));

    const secrets: Record<string, string> = {
      store: 'postgres://user:secret@host/petstore',
      quota: 'redis://:secret@host',
    };
    const configMaps = new Map(
      objects
        .filter(({ kind }) => kind === 'ConfigMap')
        .map((object) => [object.metadata.name, (object as ConfigMap).data]),
    );

    /** Every variable of a container, with the secrets of files in their place. */
    const variablesOf = ({ env, envFrom }: Container): Record<string, string> => {
      const variables: Record<string, string> = {};
      for (const source of envFrom ?? []) Object.assign(variables, configMaps.get(source.configMapRef?.name ?? ''));
      for (const { name, value, valueFrom } of env ?? []) {
        const secret = /^\/run\/secrets\/petstore\/(\w+)$/.exec(value ?? '')?.[1];
        if (secret !== undefined) {
          assert(name.endsWith('_FILE'), `${name} is a file's name`);
          variables[name.slice(0, -'_FILE'.length)] = secrets[secret] ?? assert.fail(`no secret ${secret}`);
        } else {
          variables[name] =
            value ?? String(container.resources?.limits?.[valueFrom?.resourceFieldRef?.resource?.split('.')[1] ?? '']);
        }
      }
      return variables;
    };
    const settingsOf = (of: Container): Settings => {
      const volume = of.volumeMounts?.find(({ mountPath }) => mountPath === '/etc/petstore')?.name;
      const map = spec.volumes?.find(({ name }) => name === volume)?.configMap?.name;
      return Settings.of(configMaps.get(map ?? '')?.['petstore.toml'] ?? assert.fail('no settings'), variablesOf(of));
    };
    const settings = settingsOf(container);

    test('has objects as their kinds have them, and no field besides', () => {
      assert.deepEqual(faultsOf(objects, temporaryDirectory()), []);
    });

    test('would be refused with a misspelt, a misplaced or a missing field', () => {
      const broken = (change: (copy: Deployment) => void): string[] => {
        const copy = structuredClone(deployment);
        change(copy);
        return faultsOf([copy as KubernetesObject], temporaryDirectory());
      };
      const inPod = (copy: Deployment) => copy.spec?.template.spec as unknown as Record<string, unknown>;
      assert.match(broken((copy) => (inPod(copy)['readinesProbe'] = {}))[0] ?? '', /readinesProbe/);
      assert.match(broken((copy) => (inPod(copy)['readOnlyRootFilesystem'] = true))[0] ?? '', /readOnlyRootFilesystem/);
      assert.match(broken((copy) => delete inPod(copy)['containers'])[0] ?? '', /containers/);
    });

    test('has every object once, in a namespace of its own that takes only restricted pods', () => {
      const names = objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
      assert.deepEqual([...new Set(names)], names);
      const namespace = one<Namespace>('Namespace').metadata;
      assert.equal(namespace?.labels?.['pod-security.kubernetes.io/enforce'], 'restricted');
      for (const object of objects) {
        if (object.kind !== 'Namespace') assert.equal(object.metadata.namespace, namespace?.name, object.kind);
      }
    });

    test('has sound settings, the same for both containers', () => {
      assert.equal(settings.text('environment'), overlay);
      assert.match(settings.text('store'), /^postgres:/);
      assert.match(settings.text('quota'), /^redis:/);
      for (const other of containers) assert.equal(settingsOf(other).text('environment'), overlay);
    });

    test('ends no request: the grace period is longer than the drain', () => {
      const grace = spec.terminationGracePeriodSeconds ?? 30;
      assert(grace >= settings.drainSeconds + 10, `${grace} s against ${settings.drainSeconds} s`);
      // Endpoints need a while to hear that a pod ends, and some balancers ten seconds.
      assert(settings.seconds('drain-delay') >= 10);
      assert(settings.seconds('idle-timeout') > 60);
    });

    test('means the same ports everywhere', () => {
      assert.equal(ports.get('http'), settings.port('listen'));
      assert.equal(ports.get('admin'), settings.port('admin-listen'));
      assert.equal(annotations['prometheus.io/port'], String(ports.get('admin')));
      assert.equal(annotations['prometheus.io/path'], '/metrics');
      const service = one<Service>('Service');
      assert.deepEqual(
        service.spec?.ports?.map(({ targetPort }) => targetPort),
        ['http'],
      );
      const backends = one<Ingress>('Ingress').spec?.rules?.flatMap((rule) => rule.http?.paths ?? []) ?? [];
      assert.deepEqual(
        backends.map(({ path }) => path),
        [settings.text('base-path'), '/docs'],
      );
      for (const { backend } of backends) {
        assert.deepEqual(backend.service, {
          name: service.metadata?.name,
          port: { name: service.spec?.ports?.[0]?.name },
        });
      }
    });

    test('asks for life and readiness where they are, and restarts no node because the store is gone', () => {
      const probes: Record<string, Probe | undefined> = {
        '/livez at the start': container.startupProbe,
        '/livez': container.livenessProbe,
        '/readyz': container.readinessProbe,
      };
      for (const [path, probe] of Object.entries(probes)) {
        assert.equal(probe?.httpGet?.path, path.split(' ')[0]);
        assert.equal(probe?.httpGet?.port, 'admin');
      }
    });

    test('selects its own pods, and others for what they are', () => {
      const own = (labels?: Record<string, string>): void => {
        assert(Object.keys(labels ?? {}).length > 0, 'selects everything');
        for (const [name, value] of Object.entries(labels ?? {})) assert.equal(podLabels[name], value);
      };
      own(deployment.spec?.selector.matchLabels);
      own(one<Service>('Service').spec?.selector);
      own(one<PodDisruptionBudget>('PodDisruptionBudget').spec?.selector?.matchLabels);
      for (const spread of spec.topologySpreadConstraints ?? []) own(spread.labelSelector?.matchLabels);
      const policy = one<NetworkPolicy>('NetworkPolicy').spec;
      own(policy?.podSelector?.matchLabels);
      const peers: NetworkPolicyPeer[] = [
        ...(policy?.ingress ?? []).flatMap(({ from }) => from ?? []),
        ...(policy?.egress ?? []).flatMap(({ to }) => to ?? []),
      ];
      assert.equal(peers.length, 5);
      for (const peer of peers) {
        const labels = peer.podSelector?.matchLabels ?? {};
        assert.notEqual(labels['app.kubernetes.io/name'], 'petstore', 'talks to nobody but itself');
        assert(Object.keys(peer).length > 0, 'lets everybody in');
      }
    });

    test('lets clients and monitoring in by their own ports, and the service out to what it needs', () => {
      const policy = one<NetworkPolicy>('NetworkPolicy').spec;
      const doors = (policy?.ingress ?? []).map(({ from, ports: open }) => [
        from?.[0]?.namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name'],
        open?.map(({ port }) => port),
      ]);
      assert.deepEqual(doors, [
        ['ingress', ['http']],
        ['monitoring', ['admin']],
      ]);
      assert.deepEqual(
        policy?.egress?.flatMap(({ ports: open }) => open?.map(({ port }) => port)),
        [53, 53, 5432, 6379, 26379],
      );
      assert.deepEqual(policy?.policyTypes, ['Ingress', 'Egress']);
    });

    test('is what the restricted standard for pods asks, and more', () => {
      assert.equal(spec.automountServiceAccountToken, false);
      assert.equal(spec.enableServiceLinks, false);
      assert.equal(spec.securityContext?.runAsNonRoot, true);
      assert.equal(spec.securityContext?.seccompProfile?.type, 'RuntimeDefault');
      const user = /^USER (\d+):(\d+)$/m.exec(read(join(deploy, 'docker/Dockerfile')));
      assert.deepEqual([spec.securityContext?.runAsUser, spec.securityContext?.runAsGroup].map(String), user?.slice(1));
      for (const { name, securityContext, resources, volumeMounts } of containers) {
        assert.equal(securityContext?.allowPrivilegeEscalation, false, name);
        assert.equal(securityContext?.readOnlyRootFilesystem, true, name);
        assert.deepEqual(securityContext?.capabilities, { drop: ['ALL'] }, name);
        assert(resources?.limits?.['memory'] && resources.requests?.['cpu'], name);
        for (const mount of volumeMounts ?? []) assert.equal(mount.readOnly, true, mount.name);
      }
      for (const { hostPath } of spec.volumes ?? []) assert.equal(hostPath, undefined);
    });

    test('replaces nodes one by one, none of them missed, and lets machines be drained', () => {
      assert.deepEqual(deployment.spec?.strategy?.rollingUpdate, { maxUnavailable: 0, maxSurge: 1 });
      assert.equal(deployment.spec?.replicas, undefined, 'each apply would set back what the autoscaler did');
      const scaler = one<HorizontalPodAutoscaler>('HorizontalPodAutoscaler').spec;
      assert.equal(scaler?.scaleTargetRef.name, deployment.metadata?.name);
      assert(
        Number(scaler?.minReplicas) > Number(one<PodDisruptionBudget>('PodDisruptionBudget').spec?.maxUnavailable),
      );
    });

    test('shares quotas among as many nodes as it keeps at least, also while Redis is gone', () => {
      const nodes = one<HorizontalPodAutoscaler>('HorizontalPodAutoscaler').spec?.minReplicas;
      assert.equal(settings.text('quota-nodes'), String(nodes));
    });

    test('has memory for every connection that it takes', () => {
      assert(bytesOf(String(container.resources?.limits?.['memory'])) > settings.memoryBytesMax);
    });

    test('asks PostgreSQL for no more connections than it takes', () => {
      // One more while it replaces another; of each, one thread more, which keeps house.
      const nodes = Number(one<HorizontalPodAutoscaler>('HorizontalPodAutoscaler').spec?.maxReplicas) + 1;
      const perNode = (Number(settings.text('threads')) + 1) * Number(settings.text('store-connections'));
      assert(nodes * perNode <= connectionsOfPostgres, `${nodes} nodes of ${perNode}`);
    });
  });
}
