//! What holds for the routes of any regular cluster.

use foretell_platform::*;
use proptest::prelude::*;

fn shapes() -> impl Strategy<Value = (Topology, u32)> {
    let sizes = || prop::collection::vec(1u32..5, 1..4);
    prop_oneof![
        (1u32..20).prop_map(|count| (Topology::Star, count)),
        sizes().prop_map(|sizes| (Topology::Torus(sizes.clone()), sizes.iter().product())),
        sizes().prop_map(|sizes| (Topology::Mesh(sizes.clone()), sizes.iter().product())),
        (1usize..4).prop_flat_map(|levels| {
            let list = || prop::collection::vec(1u32..4, levels);
            (list(), list(), list()).prop_map(|(down, up, cables)| {
                let count = down.iter().product();
                (Topology::FatTree(FatTreeSpec { down, up, cables }), count)
            })
        }),
        (1u32..4, 1u32..4, 1u32..4, 1u32..4).prop_map(|(groups, chassis, routers, nodes)| {
            let routing = DragonflyRouting::Minimal;
            let (blue, black, green) = (2, 3, 1);
            let spec =
                DragonflySpec { groups, blue, chassis, black, routers, green, nodes, routing };
            (Topology::Dragonfly(spec), groups * chassis * routers * nodes)
        }),
    ]
}

fn platforms() -> impl Strategy<Value = Platform> {
    let sharing = prop_oneof![Just(Sharing::Shared), Just(Sharing::SplitDuplex)];
    let local = prop_oneof![
        Just(Local::Platform),
        Just(Local::Crossing),
        Just(Local::Own { bandwidth: 6e9, latency: 1e-7 })
    ];
    (shapes(), sharing, prop::option::of(Just(2e9)), local).prop_map(
        |((topology, count), sharing, limiter, local)| {
            let mut cluster = ClusterSpec::new(
                Naming::counted("n", "", count),
                NodeSpec::new(1e9, 1),
                WireSpec { bandwidth: 1e9, latency: 1e-6, sharing },
            );
            (cluster.topology, cluster.limiter, cluster.local) = (topology, limiter, local);
            Platform::build(PlatformSpec::new(ZoneSpec::cluster("c", cluster))).unwrap()
        },
    )
}

proptest! {
    #[test]
    fn routes_are_symmetric_in_length_and_sum_their_latencies(
        platform in platforms(), a in any::<u32>(), b in any::<u32>()
    ) {
        let count = platform.host_count() as u32;
        let (a, b) = (HostId(a % count), HostId(b % count));
        let (mut there, mut back) = (Route::default(), Route::default());
        platform.route(a, b, &mut there).unwrap();
        platform.route(b, a, &mut back).unwrap();
        prop_assert_eq!(there.links.len(), back.links.len());
        prop_assert!((there.latency - back.latency).abs() < 1e-12);
        let sum: f64 = there.links.iter().map(|link| platform.link(*link).latency).sum();
        prop_assert!((there.latency - sum).abs() < 1e-12);
        prop_assert!(!there.links.is_empty());
    }

    #[test]
    fn every_link_and_host_is_found_by_its_name(platform in platforms()) {
        for link in (0..platform.link_count() as u32).map(LinkId) {
            let name = platform.link_name(link);
            let found = platform.find_link(&name).expect("a link that has a name");
            prop_assert_eq!(platform.link_name(found), name);
        }
        for host in platform.hosts() {
            prop_assert_eq!(platform.find_host(&platform.host_name(host)), Some(host));
        }
    }

    #[test]
    fn routes_use_links_of_the_platform_only(
        platform in platforms(), a in any::<u32>(), b in any::<u32>()
    ) {
        let count = platform.host_count() as u32;
        let mut route = Route::default();
        platform.route(HostId(a % count), HostId(b % count), &mut route).unwrap();
        for link in route.links {
            prop_assert!((link.0 as usize) < platform.link_count());
        }
    }
}
