"""Functions on shapes that only compute, as PostGIS and its kin call them after `st_`.

What reads tables or files that a text names, makes tables, or runs SQL in a text isn't among them
(`ST_MapAlgebra`, `ST_ValueCount`, `ST_FromFlatGeobufToTable`, …). Sources: the manuals of PostGIS
and SpatiaLite.
"""

from __future__ import annotations

from pipeline.database.names import name_set

COMMON = "|".join(
    name_set(r"""
    area azimuth angle asbinary asewkb asewkt asgeojson asgml ashexewkb ashexwkb askml astext
    assvg aswkb aswkt astwkb as\w*polyline asx3d aslatlontext asencodedpolyline boundary
    bdmpolyfromtext bdpolyfromtext buffer buildarea centroid closestpoint collect
    collectionextract collectionhomogenize concavehull contains containsproperly convexhull
    coorddim coveredby covers crosses curven? curvetoline delaunay\w* difference dimension
    disjoint distance\w* dump dump(points|rings|segments) dwithin dfullywithin endpoint envelope
    equals expand exteriorring flipcoordinates force\w+ frechetdistance generatepoints geoghash
    geogfrom\w+ geograph\w+from\w+ geohash geomcoll\w+
    geom\w*from(text|wkb|ewkt|ewkb|geojson|geohash|gml|kml|twkb|hexwkb|hexewkb|marc21) geometryn
    geometrytype gmltosql hasarc hasm hasz hausdorffdistance interiorringn? intersection
    intersects inver\w*transform\w* isclosed iscollection isempty ispolygonc?cw isring issimple
    isvalid\w* length\w* linecrossing\w+ linefrom\w+ lineinterpolate\w+ linelocatepoint
    linemerge linesubstring linestringfrom\w+ linetocurve longestline m makebox2d makeenvelope
    makeline makepoint\w* makepolygon makevalid maxdistance maximuminscribedcircle maxx maxy
    maxz minimumbounding\w+ minimumclearance\w* minx miny minz mlinefrom\w+ mpointfrom\w+
    mpolyfrom\w+ multi multi\w+from\w+ ndims node normalize nn?points nrings
    num(geometries|interiorrings?|patches|points) offsetcurve orderingequals orientedenvelope
    overlaps perimeter\w* point point(fromgeohash|fromtext|fromwkb|insidecircle|n|m|z|zm)
    pointonsurface points polygon polyfrom\w+ polygonfrom\w+ polygonize project
    quantizecoordinates reduceprecision relate relatematch remove\w*point\w* reverse
    rotate[xyz]? scale segmentize setpoint setsrid sharedpaths shift_?longitude shortestline
    simplify\w* snap snaptogrid split square srid startpoint subdivide summary swapordinates
    symdifference symmetricdifference tileenvelope touches transform translate\w* transscale
    triangulate\w* unaryunion union voronoi\w* within wkbtosql wkttosql wrapx x[mz]? y z zmflag
    zmax zmin xmax xmin ymax ymin mmax mmin hexagon\w* squaregrid hexgrid letters
    """)
)
"""A pattern of what PostGIS and SpatiaLite have."""

POSTGIS = "|".join(
    name_set(r"""
    addmeasure addpoint affine asmvt asmvtgeom asgeobuf asflatgeobuf asraster bounding\w*
    chaikinsmoothing cleangeometry closestpointofapproach cpawithin cluster\w+ combine\w+
    coverage\w+ distancecpa effectivearea extent extent3d filterbym forcecurve fromflatgeobuf
    geometricmedian intersectionarea interpolatepoint isvalidtrajectory lineextend locate\w+
    makesolid memsize memcollect memunion minkowskisum orientation straightskeleton
    swapordinates tesselate volume clip convexhull height width numbands rasttoworldcoord\w*
    worldtorastercoord\w* scalex scaley pixelheight pixelwidth upperleftx upperlefty skewx skewy
    rotation metadata value nearestvalue polygon tile resample rescale resize setvalues? setsrid
    slope aspect hillshade
    """)
)
"""A pattern of what PostGIS has besides."""
