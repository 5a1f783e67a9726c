import type { Catalogue } from '../../../lib/language.ts';

/** How a connection of the desktop app reaches its master. */
export const connections: Catalogue = {
  'token from the Secret of its release': 'Token aus dem Secret des Release',
  'Reconnect now: {name}': 'Jetzt neu verbinden: {name}',
  'Connect by': 'Verbinden über',
  'SSH tunnel': 'SSH-Tunnel',
  'SSH server': 'SSH-Server',
  'SSH port': 'SSH-Port',
  'host, user@host, or a name of ~/.ssh/config': 'Host, Benutzer@Host oder ein Name aus ~/.ssh/config',
  'Empty: as configured, or 22': 'Leer: wie konfiguriert, sonst 22',
  'Expected host or user@host': 'Erwartet: Host oder Benutzer@Host',
  'Expected a number from 1 to 65535': 'Erwartet: eine Zahl von 1 bis 65535',
  'As seen from the SSH server: http:// for that machine itself, https:// for others':
    'Vom SSH-Server aus: http:// für diesen Rechner selbst, https:// für andere',
  'Uses the ssh of this system with your configuration, keys and agent. Connect once in a terminal first, so that the host key is known.':
    'Verwendet das ssh dieses Systems mit der eigenen Konfiguration, eigenen Schlüsseln und eigenem Agenten. Zuerst einmal in einem Terminal verbinden, damit der Host-Schlüssel bekannt ist.',
  'Kubeconfig file': 'Kubeconfig-Datei',
  'Empty: as kubectl finds it (KUBECONFIG, ~/.kube/config). Only read, never changed':
    'Leer: wie kubectl sie findet (KUBECONFIG, ~/.kube/config). Wird nur gelesen, nie geändert',
  Kubernetes: 'Kubernetes',
  'Runs {command} for credentials': 'Führt für Zugangsdaten {command} aus',
  'Cluster and user, as kubectl config get-contexts lists them':
    'Cluster und Benutzer, wie kubectl config get-contexts sie auflistet',
  'This kubeconfig no longer has this context': 'Diese Kubeconfig enthält diesen Kontext nicht mehr',
  Namespace: 'Namespace',
  'Empty: search all namespaces': 'Leer: alle Namespaces durchsuchen',
  'Find releases': 'Releases suchen',
  Release: 'Release',
  '{name}, version {version}, {ready} of {masters} masters ready':
    '{name}, Version {version}, {ready} von {masters} Mastern bereit',
  '{count} releases found: choose one': '{count} Releases gefunden: eines auswählen',
  'Of the Helm chart, as namespace/name': 'Des Helm-Charts, als Namespace/Name',
  'Read from the Secret of the release at each connect, and never stored':
    'Wird bei jedem Verbinden aus dem Secret des Release gelesen und nie gespeichert',
  'Administrator token of the release': 'Administrator-Token des Release',
  'Viewer token of the release': 'Viewer-Token des Release',
  'A token of your own': 'Ein eigenes Token',
  'Your token': 'Eigenes Token',
  'Network: custom CA': 'Netz: eigene CA',
};
